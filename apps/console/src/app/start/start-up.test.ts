import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test.each([401, 403])(
  'who is refused the profile (%i) comes to the login page after 100 ms',
  async (status) => {
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const replace = vi.fn()
    vi.stubGlobal('localStorage', { getItem: () => null })
    vi.stubGlobal('document', { cookie: 'jms_session_expire=age', querySelector: () => null })
    vi.stubGlobal('location', { pathname: '/ui/workbench/home', search: '', replace })
    vi.stubGlobal('fetch', (address: string) =>
      Promise.resolve(
        address.startsWith('/api/v1/users/profile/')
          ? Response.json({ detail: 'no' }, { status })
          : Response.json({ INTERFACE: { theme_info: {} } }),
      ),
    )
    const { startUp } = await import('./start-up.ts')
    void startUp(new URL('http://localhost/ui/workbench/home'), new AbortController().signal)
    while (vi.getTimerCount() === 0) await new Promise(setImmediate)
    vi.advanceTimersByTime(99)
    expect(replace).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1)
    expect(replace).toHaveBeenCalledExactlyOnceWith('/core/auth/login/?next=%2Fui%2Fworkbench%2Fhome')
  },
)
