import { text } from '../resource/field.ts'

/** What is known about a machine itself. */
export const hostInfoFields = {
  vendor: text({ max: 64 }),
  model: text({ max: 54 }),
  sn: text({ max: 128 }),
  cpu_model: text({ max: 64 }),
  cpu_count: text({ max: 64 }),
  cpu_cores: text({ max: 64 }),
  cpu_vcpus: text({ max: 64 }),
  memory: text({ max: 64 }),
  disk_total: text({ max: 1024 }),
  distribution: text({ max: 128 }),
  distribution_version: text({ max: 16 }),
  arch: text({ max: 16 }),
}
