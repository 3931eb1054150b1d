/**
 * Runs one program (JSON in the first argument: command, args, uid, gid, cwd) and takes it along when this process is told
 * to end or its supervisor is gone: foreign programs do not notice that by themselves.
 */
import { spawn } from 'node:child_process'

const { command, args, ...options } = JSON.parse(process.argv[2])
const child = spawn(command, args, { ...options, stdio: 'inherit' })
const end = () => child.kill('SIGTERM')
process.on('SIGTERM', end)
process.on('SIGINT', end)
process.on('disconnect', end)
child.once('error', (error) => {
  console.error(`${command} cannot be started: ${error.message}`)
  process.exit(1)
})
child.once('exit', (code) => process.exit(code ?? 1))
