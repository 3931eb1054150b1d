/**
 * What a component may call besides the calls made for components and what anybody may: method and address. Everything else is refused to
 * it, whatever roles it holds.
 */
export const componentCalls: ReadonlySet<string> = new Set([
  // Its own account: shows that its key is good.
  'GET /api/v1/users/profile/',
  // What the people it serves were granted.
  'GET /api/v1/perms/users/:user/assets/',
  'GET /api/v1/perms/users/:user/assets/:asset/accounts/',
  'GET /api/v1/perms/users/:user/nodes/',
  'GET /api/v1/perms/users/:user/nodes/:node/assets/',
  'GET /api/v1/perms/users/:user/nodes/children-with-assets/tree/',
  // Its own orders.
  'GET /api/v1/terminal/tasks/',
  'GET /api/v1/terminal/tasks/:id/',
  'PATCH /api/v1/terminal/tasks/:id/',
  'POST /api/v1/terminal/sessions/join/validate/',
])
