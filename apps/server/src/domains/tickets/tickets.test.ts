/** Requests that somebody must approve, as those concerned see them. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'
import { closeExpired } from './deciding.ts'

const system = await startTestSystem()
let admin: TestClient
let chief: TestPerson
let applicant: TestPerson
let chiefHere: TestClient
let applicantHere: TestClient
let stranger: TestClient
beforeAll(async () => {
  admin = await system.admin()
  chief = await addPerson(system, admin, { name: 'Chief' })
  applicant = await addPerson(system, admin, { name: 'Ann' })
  ;[chiefHere, applicantHere] = [await chief.signedIn(), await applicant.signedIn()]
  stranger = await (await addPerson(system, admin)).signedIn()
  const time_period = [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' }))
  const made = await admin.post('acls/login-acls/', {
    name: 'ask',
    user: applicant.id,
    action: 'review',
    reviewers: [chief.id],
    rules: { ip_group: ['*'], time_period },
  })
  expect(made.status).toBe(201)
})

/** A ticket of the applicant's that waits. */
async function opened(): Promise<string> {
  const answer = await system.client({ address: '10.4.0.1' }).signIn(applicant.username, applicant.password)
  const id = String(answer.body['data']?.['ticket_id'])
  expect(id).toMatch(/-/)
  // So that as many as a test likes may be opened.
  await system.database.pool.query(`delete from login_counters where kind = 'review'`)
  return id
}
const tickets = 'tickets/tickets/'

test('what a ticket is about is told in the language of whoever reads it', async () => {
  const id = await opened()
  const shown = `Ann(${applicant.username})`
  for (const [language, title] of [
    ['en', `Login confirm ${shown}`],
    ['zh', `登录复核 ${shown}`],
    ['ja', `ログインの確認 ${shown}`],
  ] as const) {
    const asked = { headers: { 'accept-language': language } }
    for (const path of [`${tickets}${id}/`, `tickets/apply-login-tickets/${id}/`])
      expect((await chiefHere.get(path, asked)).body).toMatchObject({ title })
  }
})

test('a ticket is called the same in every answer, and found by that and by what was stored', async () => {
  const id = await opened()
  const headers = { 'accept-language': 'zh' }
  const title = `登录复核 Ann(${applicant.username})`
  const { rows } = await system.database.pool.query<{ title: string }>(
    'select title from tickets where id = $1',
    [id],
  )
  const stored = String(rows[0]?.title)
  expect(stored).not.toBe(title)
  for (const query of [`id=${id}`, `id=${id}&fields=id,title`])
    expect((await chiefHere.get(`${tickets}?${query}`, { headers })).body).toMatchObject([{ id, title }])
  const { body: read } = await chiefHere.get(`${tickets}${id}/`, { headers })
  expect(read).toMatchObject({ org_name: '全局组织' })
  const table = await chiefHere.get(`${tickets}?format=csv&fields=title&id=${id}`, { headers })
  expect(String(table.body)).toContain(title)
  for (const query of [
    'search=登录复核',
    `search=${title}`,
    `search=${stored}`,
    `title=${title}`,
    `title=${stored}`,
  ])
    expect((await chiefHere.get(`${tickets}?${encodeURI(query)}&id=${id}`, { headers })).body).toMatchObject([
      { id },
    ])
  for (const query of ['search=命令复核', 'title=登录复核'])
    expect((await chiefHere.get(`${tickets}?${encodeURI(query)}&id=${id}`, { headers })).body).toEqual([])
})

test('there may be tickets of no type of their own, and there are none', async () => {
  expect(await chiefHere.get(`${tickets}?type=general`)).toMatchObject({ status: 200, body: [] })
})

test('a ticket is on the wire as clients of the compatible system expect it', async () => {
  const id = await opened()
  const shown = `Ann(${applicant.username})`
  const { body } = await chiefHere.get(`tickets/apply-login-tickets/${id}/`)
  expect(body).toEqual({
    id,
    title: `Login confirm ${shown}`,
    comment: '',
    serial_num: expect.stringMatching(/^\d{12}$/),
    process_map: [
      {
        state: 'pending',
        assignees: [chief.id],
        processor: '',
        approval_level: 1,
        assignees_display: [`Chief(${chief.username})`],
        approval_date: expect.stringMatching(/^\d{4}\/\d\d\/\d\d /),
        processor_display: '',
      },
    ],
    approval_step: { value: 1, label: 'One level' },
    type: { value: 'login_confirm', label: 'Login confirm' },
    state: { value: 'pending', label: 'Open' },
    status: { value: 'open', label: 'Open' },
    applicant: { id: applicant.id, name: 'Ann' },
    org_id: rootOrgId,
    org_name: 'GLOBAL',
    rel_snapshot: { applicant: shown },
    apply_login_ip: '10.4.0.1',
    apply_login_city: 'LAN',
    apply_login_datetime: expect.stringMatching(/^\d{4}\/\d\d\/\d\d /),
    date_created: expect.any(String),
    date_updated: expect.any(String),
  })
  const { body: base } = await applicantHere.get(`${tickets}${id}/`)
  expect(base).not.toHaveProperty('apply_login_ip')
  expect(base).toMatchObject({ id, serial_num: body['serial_num'] })
})

test('numbers go on within a day', async () => {
  const numbers: number[] = []
  for (const id of [await opened(), await opened()])
    numbers.push(Number((await chiefHere.get(`${tickets}${id}/`)).body['serial_num']))
  expect(numbers[1]).toBe(Number(numbers[0]) + 1)
})

test('those concerned see a ticket in whatever organization they are, and nobody else does', async () => {
  const id = await opened()
  for (const client of [chiefHere, applicantHere])
    for (const org of [rootOrgId, defaultOrgId])
      expect((await client.get(`${tickets}${id}/`, { org })).status).toBe(200)
  for (const client of [stranger, admin]) {
    expect((await client.get(`${tickets}${id}/`)).status).toBe(404)
    expect((await client.get(`${tickets}?id=${id}`)).body).toEqual([])
    expect((await client.get(`tickets/comments/?ticket_id=${id}`)).status).toBe(400)
    expect((await client.post(`tickets/comments/?ticket_id=${id}`, { body: 'Hello' })).status).toBe(400)
  }
  expect((await system.client().get(tickets)).status).toBe(401)
  expect((await chiefHere.post(tickets, {})).status).toBe(405)
  expect((await chiefHere.delete(`${tickets}${id}/`)).status).toBe(405)
})

test('my tickets, and those assigned to me now', async () => {
  const id = await opened()
  const ids = async (client: TestClient, query: string) =>
    ((await client.get(`${tickets}?${query}`)).body as unknown as { id: string }[]).map((row) => row.id)
  expect(await ids(applicantHere, `applicant=${applicant.id}`)).toContain(id)
  expect(await ids(chiefHere, `assignees__id=${chief.id}&state=pending`)).toContain(id)
  expect(await ids(chiefHere, `applicant=${chief.id}`)).toEqual([])
  expect(await ids(chiefHere, `relevant_asset=web&id=${id}`)).toEqual([])
  expect(await ids(chiefHere, `relevant_app=x&type=login_confirm&id=${id}`)).toEqual([id])
  expect(await ids(chiefHere, `search=login_confirm&id=${id}`)).toEqual([id])
})

test('who is asked rejects, the applicant takes back, and what is finished stays so', async () => {
  const rejected = await opened()
  expect(await applicantHere.put(`${tickets}${rejected}/reject/`)).toMatchObject({ status: 403 })
  expect(await chiefHere.put(`${tickets}${rejected}/reject/`)).toMatchObject({ status: 200, body: 'ok' })
  expect((await applicantHere.get(`${tickets}${rejected}/`)).body).toMatchObject({
    state: { value: 'rejected' },
    status: { value: 'closed' },
    process_map: [{ state: 'rejected', processor: chief.id, processor_display: `Chief(${chief.username})` }],
  })
  for (const what of ['approve', 'reject', 'close'])
    expect(await chiefHere.put(`${tickets}${rejected}/${what}/`)).toMatchObject({
      status: 400,
      body: { detail: 'Ticket already closed' },
    })
  const closed = await opened()
  expect(await applicantHere.put(`${tickets}${closed}/close/`)).toMatchObject({ status: 200 })
  expect((await chiefHere.get(`${tickets}${closed}/`)).body).toMatchObject({
    state: { value: 'closed', label: 'Cancel' },
    process_map: [{ state: 'closed', processor: applicant.id }],
  })
})

test('of two who decide at once, one does', async () => {
  const id = await opened()
  const answers = await Promise.all(
    ['approve', 'reject'].map((what) => chiefHere.put(`${tickets}${id}/${what}/`)),
  )
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 400])
})

test('what those concerned say, and what became of it, in the language of the reader', async () => {
  const id = await opened()
  const said = await applicantHere.post(`tickets/comments/?ticket_id=${id}`, {
    body: 'It is **me**',
    ticket: id,
  })
  expect(said).toMatchObject({
    status: 201,
    body: {
      body: 'It is **me**',
      ticket: id,
      user: applicant.id,
      user_display: `Ann(${applicant.username})`,
    },
  })
  await chiefHere.patch(`${tickets}${id}/approve/`)
  const read = async (language: string) =>
    (
      (await chiefHere.get(`tickets/comments/?ticket_id=${id}`, { language })).body as unknown as {
        body: string
      }[]
    ).map((comment) => comment.body)
  expect(await read('en')).toEqual([
    `Ann(${applicant.username}) opened the ticket`,
    'It is **me**',
    `Chief(${chief.username}) approved the ticket`,
  ])
  expect((await read('zh'))[2]).toBe(`Chief(${chief.username}) 同意了工单`)
  expect(await chiefHere.get('tickets/comments/')).toMatchObject({
    status: 400,
    body: { detail: expect.stringMatching(/^Not found Ticket object about id=/) },
  })
})

test('who is asked, and who applied, get a message', async () => {
  const messages = async (client: TestClient) =>
    JSON.stringify((await client.get('notifications/site-messages/')).body)
  const id = await opened()
  expect(await messages(chiefHere)).toContain(id)
  expect(await messages(chiefHere)).toContain(`Ann(${applicant.username}): New Ticket`)
  await chiefHere.put(`${tickets}${id}/reject/`)
  expect(await messages(applicantHere)).toContain(`was rejected by Chief(${chief.username})`)
})

test('what nobody decided in time is closed, and whoever waits for it is told', async () => {
  const id = await opened()
  await system.database.pool.query(
    `update tickets set date_expired = now(), meta = meta || '{"component_id": "gateway-1"}' where id = $1`,
    [id],
  )
  const told: string[][] = []
  const tellComponent = async (_db: unknown, ...what: string[]) => void told.push(what)
  await closeExpired(system.database.db, { tellComponent })
  expect(told).toEqual([['gateway-1', id]])
  expect((await applicantHere.get(`${tickets}${id}/`)).body).toMatchObject({
    state: { value: 'closed' },
    status: { value: 'closed' },
  })
})
