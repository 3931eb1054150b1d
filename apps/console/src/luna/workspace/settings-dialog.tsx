import {
  fontSizeRange,
  setPreferences,
  type TerminalPreferences,
  usePreferences,
} from '../../kit/terminal/preferences.ts'
import { themes } from '../../kit/terminal/themes.ts'
import { type LunaMessage, useText } from '../text.ts'
import { Dialog } from '../ui/dialog.tsx'

type Flag = 'copyOnSelect' | 'quickPaste' | 'backspaceAsCtrlH' | 'screenReader'

const flags: [Flag, LunaMessage][] = [
  ['copyOnSelect', 'settingCopyOnSelect'],
  ['quickPaste', 'settingQuickPaste'],
  ['backspaceAsCtrlH', 'settingBackspaceAsCtrlH'],
  ['screenReader', 'settingScreenReader'],
]

/** Settings of all terminals of this browser; each change is in effect at once. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const t = useText()
  const preferences = usePreferences()
  const change = (values: Partial<TerminalPreferences>) => setPreferences(values)
  return (
    <Dialog title={t('terminalSettings')} onClose={onClose} width={540}>
      <label className="field">
        <span>{t('settingFontSize', { size: preferences.fontSize })}</span>
        <input
          type="range"
          min={fontSizeRange.min}
          max={fontSizeRange.max}
          value={preferences.fontSize}
          onChange={(event) => change({ fontSize: Number(event.target.value) })}
        />
      </label>
      <fieldset className="field">
        <legend>{t('settingTheme')}</legend>
        <div className="theme-grid">
          {themes.map(({ name, colors }) => (
            <label
              key={name}
              className={name === preferences.themeName ? 'theme-card is-chosen' : 'theme-card'}
              style={{ background: colors.background, color: colors.foreground }}
            >
              <input
                type="radio"
                name="theme"
                checked={name === preferences.themeName}
                onChange={() => change({ themeName: name })}
              />
              <span>{name}</span>
              <span className="theme-swatches" aria-hidden="true">
                {[colors.red, colors.green, colors.yellow, colors.blue, colors.magenta, colors.cyan].map(
                  (color) => (
                    <i key={color} style={{ background: color }} />
                  ),
                )}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
      {flags.map(([flag, label]) => (
        <label className="check" key={flag}>
          <input
            type="checkbox"
            checked={preferences[flag]}
            onChange={(event) => change({ [flag]: event.target.checked })}
          />
          <span>{t(label)}</span>
        </label>
      ))}
    </Dialog>
  )
}
