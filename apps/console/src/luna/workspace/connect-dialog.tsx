import { useId, useState } from 'react'
import { useSealing } from '../../kit/secrets/secrets.ts'
import { useText } from '../text.ts'
import { Dialog } from '../ui/dialog.tsx'
import {
  type Choice,
  isManual,
  type ManualSecret,
  needsSecret,
  type Offer,
  preselect,
  remember,
} from './connecting.ts'

interface ConnectDialogProps {
  offer: Offer
  /** Why the last try failed, in a sentence. */
  error: string | undefined
  isBusy: boolean
  onConnect: (choice: Choice, manual: ManualSecret | undefined) => void
  onClose: () => void
}

/** Asks how to connect: protocol, account and, where nothing is stored, its name and secret. */
export function ConnectDialog({ offer, error, isBusy, onConnect, onClose }: ConnectDialogProps) {
  const t = useText()
  useSealing()
  const id = useId()
  const start = preselect(offer)
  const [choice, setChoice] = useState(start?.choice ?? { protocol: '', account: '', method: '' })
  const [autoLogin, setAutoLogin] = useState(start?.autoLogin ?? false)
  const [username, setUsername] = useState('')
  const [secret, setSecret] = useState('')

  if (!start) {
    const text = offer.asset.is_active
      ? offer.accounts.length === 0
        ? t('noAccounts')
        : t('noProtocols')
      : t('assetInactive')
    return (
      <Dialog title={offer.asset.name} onClose={onClose}>
        <p>{text}</p>
      </Dialog>
    )
  }

  const protocol = offer.protocols.find(({ name }) => name === choice.protocol)
  const account = offer.accounts.find(({ alias }) => alias === choice.account)
  const asksSecret = account !== undefined && needsSecret(account)
  const asksUsername = account !== undefined && isManual(account)
  const connect = () => {
    remember(offer.asset.id, choice, autoLogin && !asksSecret)
    onConnect(choice, asksSecret ? { username: asksUsername ? username.trim() : '', secret } : undefined)
  }
  const chooseProtocol = (name: string) => {
    const methods = offer.protocols.find((entry) => entry.name === name)?.methods ?? []
    const method = methods.find(({ value }) => value === choice.method) ?? methods[0]
    setChoice({ ...choice, protocol: name, method: method?.value ?? '' })
  }

  return (
    <Dialog
      title={t('connectTo', { name: offer.asset.name })}
      onClose={onClose}
      submit={{
        label: isBusy ? t('connecting') : t('connect'),
        onSubmit: connect,
        busy: isBusy,
        disabled: account === undefined || (asksUsername && username.trim() === ''),
      }}
    >
      <p className="dialog-lead">{offer.asset.address}</p>
      {error && (
        <p className="alert" role="alert">
          {error}
        </p>
      )}
      {offer.protocols.length > 1 && (
        <Options
          legend={t('protocol')}
          options={offer.protocols.map(({ name }) => ({ value: name, label: name.toUpperCase() }))}
          value={choice.protocol}
          onChange={chooseProtocol}
        />
      )}
      <label className="field" htmlFor={`${id}-account`}>
        <span>{t('account')}</span>
        <select
          id={`${id}-account`}
          value={choice.account}
          onChange={(event) => setChoice({ ...choice, account: event.target.value })}
        >
          {offer.accounts.map(({ alias, name, username }) => (
            <option key={alias} value={alias}>
              {name === username || alias.startsWith('@') ? name : `${name} (${username})`}
            </option>
          ))}
        </select>
      </label>
      {asksUsername && (
        <label className="field">
          <span>{t('username')}</span>
          <input
            value={username}
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            onChange={(event) => setUsername(event.target.value)}
          />
        </label>
      )}
      {asksSecret && (
        <label className="field">
          <span>{t('password')}</span>
          <input
            type="password"
            value={secret}
            maxLength={1024}
            autoComplete="off"
            onChange={(event) => setSecret(event.target.value)}
          />
        </label>
      )}
      {(protocol?.methods.length ?? 0) > 1 && (
        <Options
          legend={t('connectMethod')}
          options={protocol?.methods ?? []}
          value={choice.method}
          onChange={(method) => setChoice({ ...choice, method })}
        />
      )}
      {!asksSecret && (
        <label className="check">
          <input
            type="checkbox"
            checked={autoLogin}
            onChange={(event) => setAutoLogin(event.target.checked)}
          />
          <span>{t('connectWithoutAsking')}</span>
        </label>
      )}
    </Dialog>
  )
}

interface OptionsProps {
  legend: string
  options: { value: string; label: string }[]
  value: string
  onChange: (value: string) => void
}

function Options({ legend, options, value, onChange }: OptionsProps) {
  const name = useId()
  return (
    <fieldset className="field options">
      <legend>{legend}</legend>
      {options.map((option) => (
        <label key={option.value} className="option">
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          <span>{option.label}</span>
        </label>
      ))}
    </fieldset>
  )
}
