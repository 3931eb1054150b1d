/** Tells `startSystem` where the prepared data folder of this run is. */
import { inject } from 'vitest'

process.env['PREPARED_DATA'] = inject('preparedData')
