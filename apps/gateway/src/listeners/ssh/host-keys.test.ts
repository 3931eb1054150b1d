import { expect, test } from 'vitest'
import { utils } from '../../streams/ssh2.ts'
import { newEd25519Key } from './host-keys.ts'

test('no gateway is kept from starting by the key it made itself', () => {
  for (let made = 0; made < 2000; made++) expect(utils.parseKey(newEd25519Key())).not.toBeInstanceOf(Error)
})
