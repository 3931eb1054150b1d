import { type LunaText, useText } from '../text.ts'
import { type ExecEnd, type ExecRecording, type ShownStream, shownBytesMax } from './exec-recording.ts'

const streamNames = ['stdin', 'stdout', 'stderr'] as const
const streamLabels = { stdin: 'execInput', stdout: 'execOutput', stderr: 'execErrors' } as const

/** A command that was run without a terminal: how it ended, what went in and out. */
export function ExecView({ exec }: { exec: ExecRecording }) {
  const t = useText()
  const { end } = exec
  return (
    <main className="exec">
      <h1>{t('execTitle')}</h1>
      <pre className="exec-command">
        <code>{exec.command}</code>
      </pre>
      <p className="exec-exit">
        {t('execExit')}: <strong>{exitText(end?.exit, t)}</strong>
      </p>
      {end && (
        <div className="exec-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{t('execStream')}</th>
                <th scope="col">{t('execBytes')}</th>
                <th scope="col">{t('execRecorded')}</th>
                <th scope="col">{t('execHash')}</th>
              </tr>
            </thead>
            <tbody>
              {streamNames.map((name) => (
                <tr key={name}>
                  <th scope="row">{t(streamLabels[name])}</th>
                  <td>{showBytes(end[name].bytes)}</td>
                  <td>{showBytes(end[name].recorded_bytes)}</td>
                  <td>
                    <code>{end[name].sha256}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {streamNames.map((name) => (
        <StreamContent
          key={name}
          label={t(streamLabels[name])}
          stream={exec[name]}
          total={end?.[name].bytes}
        />
      ))}
    </main>
  )
}

function StreamContent({
  label,
  stream,
  total,
}: {
  label: string
  stream: ShownStream
  total: number | undefined
}) {
  const t = useText()
  if (stream.bytes === 0) return null
  const isCut = stream.isCut || (total !== undefined && total > stream.bytes)
  return (
    <section className="exec-stream">
      <h2>{label}</h2>
      <pre tabIndex={0}>{visibleControls(stream.text)}</pre>
      {isCut && (
        <p className="hint">{t('execCut', { bytes: showBytes(Math.min(stream.bytes, shownBytesMax)) })}</p>
      )}
    </section>
  )
}

// Output of programs is shown as text; what would move a cursor or change colours becomes a visible sign.
const visibleControls = (text: string) =>
  text.replaceAll('\r\n', '\n').replaceAll(/[^\P{Cc}\t\n]/gu, (char) => {
    const code = char.charCodeAt(0)
    return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2421'
  })

function exitText(exit: ExecEnd['exit'] | undefined, t: LunaText): string {
  if (!exit) return t('execRunning')
  if (exit.kind === 'status') return String(exit.code)
  return exit.kind === 'signal' ? t('execSignal', { name: exit.name }) : t('execLost')
}

/** `512 B`, `12.3 KiB`, `4.0 MiB`. */
export function showBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  let [value, unit] = [bytes, 0]
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024
    unit += 1
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`
}
