export const gatewayFlags: readonly string[]
