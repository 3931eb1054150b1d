import { expect, test } from 'vitest'
import { ApiError } from '../api/errors.ts'
import { ImportTask, type ImportValues } from './import-task.ts'

const rows = ['a', 'b', 'c'].map((name) => ({ name }))
const refusal = () =>
  new ApiError(400, 'http_400', { name: ['Taken.', 'Short.'], port: [{ number: ['Low.'] }] })

function task(send: (values: ImportValues) => unknown) {
  const told: unknown[] = []
  const made = new ImportTask({
    rows,
    send: async (values) => send(values),
    pauseMs: 0,
    labelOf: (field) => (field === 'name' ? 'Name' : field),
    describe: (error) => (error as Error).message,
    onInterrupted: (error) => told.push((error as Error).message),
    onDone: (failed) => told.push(failed),
  })
  const states = () => made.state.rows.map(({ status }) => (typeof status === 'object' ? 'failed' : status))
  return { made, told, states }
}

test('failing rows hinder no others, say why, and are sent again alone', async () => {
  const sent: unknown[] = []
  let isMended = false
  const { made, told, states } = task((values) => {
    sent.push(values['name'])
    if (values['name'] === 'b' && !isMended) throw refusal()
  })
  await made.start()
  expect(made.state.status).toBe('done')
  expect(states()).toEqual(['ok', 'failed', 'ok'])
  expect(made.state.rows[1]?.status).toEqual({
    lines: ['Name: Taken., Short.', 'port: number: Low.'],
    fields: { name: 'Taken., Short.', port: 'number: Low.' },
  })
  isMended = true
  await made.start()
  expect(states()).toEqual(['ok', 'ok', 'ok'])
  expect(sent).toEqual(['a', 'b', 'c', 'b'])
  expect(told).toEqual([1, 0])
})

test('without a connection it stops, and goes on where it was', async () => {
  let isConnected = true
  const sent: unknown[] = []
  const { made, told, states } = task((values) => {
    if (!isConnected) throw new ApiError(0, 'network_error', undefined)
    sent.push(values['name'])
    isConnected = false
  })
  await made.start()
  expect(made.state.status).toBe('stopped')
  expect(states()).toEqual(['ok', 'pending', 'pending'])
  expect(told).toEqual(['0 network_error'])
  isConnected = true
  await made.start()
  isConnected = true
  await made.start()
  expect(sent).toEqual(['a', 'b', 'c'])
})

test('it is stopped between two rows, and a row changed meanwhile is sent as it is then', async () => {
  const sent: ImportValues[] = []
  const { made, states } = task((values) => {
    sent.push(values)
    if (sent.length === 1) {
      made.stop()
      made.edit(0, 'name', 'changed')
    }
  })
  await made.start()
  expect(made.state.status).toBe('stopped')
  expect(made.isUnfinished).toBe(true)
  expect(states()).toEqual(['pending', 'pending', 'pending'])
  await made.start()
  expect(sent.map(({ name }) => name)).toEqual(['a', 'changed', 'b', 'c'])
  expect(made.isUnfinished).toBe(false)
})

test('a row that was changed is not given up unasked until it is written', async () => {
  let isMended = false
  const { made } = task((values) => {
    if (values['name'] !== 'a' && !isMended) throw refusal()
  })
  expect(made.isUnfinished).toBe(false)
  made.edit(1, 'name', 'changed')
  expect(made.isUnfinished).toBe(true)
  await made.start()
  expect(made.isUnfinished).toBe(true)
  isMended = true
  await made.start()
  expect(made.isUnfinished).toBe(false)
})

test('stopped and continued while a row is on its way, no row is sent twice', async () => {
  const sent: unknown[] = []
  const arrival = Promise.withResolvers<void>()
  const { made, told } = task(({ name }) => {
    sent.push(name)
    return arrival.promise
  })
  const runs = [made.start()]
  made.stop()
  runs.push(made.start())
  arrival.resolve()
  await Promise.all(runs)
  expect(made.state.status).toBe('done')
  expect(sent).toEqual(['a', 'b', 'c'])
  expect(told).toEqual([0])
})
