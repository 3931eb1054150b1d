import { CheckOutlined, DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useState } from 'react'
import { isRecord } from '../../../kit/api/errors.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { idOf } from '../assets/platform.ts'
import AccountDialog from './account-dialog.tsx'
import styles from './accounts.module.css'

/** The accounts of an asset that is still to be made. Their secrets are sealed when they are added here. */
export default function NewAccounts({ value, values, onChange, disabled }: WidgetProps) {
  const t = useKitText()
  const text = useMessages()
  const [open, setOpen] = useState<number | 'new'>()
  const accounts = Array.isArray(value) ? value.filter(isRecord) : []
  const edited = typeof open === 'number' ? accounts[open] : undefined
  const platformId = idOf(values['platform'])
  return (
    <div>
      {accounts.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{text('username')}</th>
              <th>{text('privileged')}</th>
              <th>{t('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {accounts.map((account, index) => {
              const name = plainValue(account['username'], t)
              return (
                <tr key={name}>
                  <td>{name}</td>
                  <td>{account['privileged'] === true && <CheckOutlined aria-label={t('yes')} />}</td>
                  <td>
                    <Button
                      type="text"
                      icon={<EditOutlined aria-hidden />}
                      aria-label={`${t('update')} ${name}`}
                      onClick={() => setOpen(index)}
                    />
                    <Button
                      type="text"
                      danger
                      icon={<DeleteOutlined aria-hidden />}
                      aria-label={t('removeOne', { name })}
                      onClick={() => onChange(accounts.filter((other) => other !== account))}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={disabled || platformId === undefined}
        onClick={() => setOpen('new')}
      >
        {text('addAccount')}
      </Button>
      {open !== undefined && (
        <AccountDialog
          {...(platformId !== undefined && { platformId })}
          {...(edited && { account: { ...edited, id: 'new' } })}
          take={(taken) => {
            const account = { ...edited, ...taken }
            const others = accounts.filter(
              (other) => other !== edited && other['username'] !== account['username'],
            )
            onChange([...others, account])
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}
