/** Milliseconds of processor time that work takes on this thread: whatever else the machine does meanwhile is none of it. */
export function processorMs(work: () => void): number {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
