/** Whether a rule is about an address and a moment. */
import { isAmong } from '../../kernel/addresses.ts'

export interface Rules {
  ip_group: string[]
  time_period: { id: number; value: string }[]
}

const range = /^([01]\d|2[0-3]):[0-5]\d~(([01]\d|2[0-3]):[0-5]\d|24:00)$/
const separator = '、'

/** Whether a text says which hours of a day are meant; none is one way to. */
export const isPeriod = (value: string) =>
  value === '' || value.split(separator).every((one) => range.test(one))

/** `now` by the server's own clock and zone, to the minute; both ends of a range belong to it. No period at all is never. */
function isWithin(periods: Rules['time_period'], now: Date): boolean {
  const time = `${String(now.getHours()).padStart(2, '0')}:${String(now.getMinutes()).padStart(2, '0')}`
  const today = periods.find(({ id }) => id === now.getDay())?.value ?? ''
  return today.split(separator).some((one) => {
    const [from = '', to = ''] = one.split('~')
    return range.test(one) && from <= time && time <= (to === '00:00' ? '24:00' : to)
  })
}

export const matches = ({ ip_group, time_period }: Rules, ip: string, now: Date): boolean =>
  isAmong(ip, ip_group) && isWithin(time_period, now)
