export function withOwnTerminals(
  command: string,
  args: string[],
  dir: string,
): { command: string; args: string[] }
