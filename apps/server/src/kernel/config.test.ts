import { describe, expect, test } from 'vitest'
import { messageOf } from './failure.ts'
import { ConfigError, readConfig } from './config.ts'

describe('configuration', () => {
  test('nothing set gives the documented defaults', () => {
    const config = readConfig({})
    expect(config.http).toEqual({ host: '127.0.0.1', port: 8080 })
    expect(config.ssh).toEqual({ host: '0.0.0.0', port: 2222 })
    expect(config.dataDir).toMatch(/^\/.*\/data$/)
    expect([...config.roles]).toEqual(['api', 'worker', 'gateway'])
    expect(config.databaseUrl).toBeUndefined()
    expect(config.secretKeys).toEqual([])
  })

  test('IPv6 addresses stand in brackets', () => {
    expect(readConfig({ SALLYPORT_HTTP: '[::1]:0' }).http).toEqual({ host: '::1', port: 0 })
  })

  test.each([
    ['SALLYPORT_HTTP', '8080'],
    ['SALLYPORT_HTTP', '127.0.0.1:99999'],
    ['SALLYPORT_SSH', 'host:ssh'],
    ['DATABASE_URL', 'mysql://root:hunter2hunter2@localhost/db'],
    ['SALLYPORT_ROLES', 'api,cook'],
    ['SALLYPORT_LOG', 'loud'],
    ['SALLYPORT_ADMIN_PASSWORD', 'short'],
    ['SALLYPORT_SECRET_KEY', 'too-short'],
  ])('a wrong %s is named in one line that does not repeat the value', (name, value) => {
    const attempt = () => readConfig({ [name]: value })
    expect(attempt).toThrow(ConfigError)
    try {
      attempt()
    } catch (error) {
      const message = messageOf(error)
      expect(message).toMatch(new RegExp(`^${name} must `))
      expect(message).not.toContain('\n')
      expect(message).not.toContain('hunter2')
    }
  })

  test('several secret keys may be given, the first is the one that encrypts', () => {
    expect(readConfig({ SALLYPORT_SECRET_KEY: 'a'.repeat(16) + ', ' + 'b'.repeat(20) }).secretKeys).toEqual([
      'a'.repeat(16),
      'b'.repeat(20),
    ])
  })
})
