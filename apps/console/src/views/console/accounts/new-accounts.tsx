import { CheckOutlined, DeleteOutlined, EditOutlined, PlusOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../../kit/access/access.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { useRows } from '../../../kit/form/use-rows.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { idOf } from '../assets/platform.ts'
import { protocolsOf } from '../assets/protocols.ts'
import AccountDialog from './account-dialog.tsx'
import styles from './accounts.module.css'

const TemplatesOfNewAccounts = lazyPart(() => import('./templates-of-new-accounts.tsx'))

/** The accounts of an asset that is still to be made. Their secrets are sealed when they are added here. */
export default function NewAccounts(props: WidgetProps) {
  const t = useKitText()
  const text = useMessages()
  const [open, setOpen] = useState<number | 'new'>()
  const [choosing, setChoosing] = useState(false)
  const { rows, add } = useRows(props)
  const { can } = useAccess()
  const isCopy = useSearchParams()[0].has('clone_from')
  const edited = typeof open === 'number' ? rows[open] : undefined
  const platformId = idOf(useFieldValue(props.form, 'platform'))
  const protocols = useFieldValue(props.form, 'protocols')
  const there = rows.map(({ row }) => row)
  return (
    <div>
      {rows.length > 0 && (
        <table className={styles.table}>
          <thead>
            <tr>
              <th>{text('kit:username')}</th>
              <th>{text('console:privileged')}</th>
              <th>{t('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ row, errors, remove }, index) => {
              const name = plainValue(row['username'], t)
              // That of a template is its own.
              const isBare = !row['secret'] && row['template'] !== true
              // Two may be called the same until the server says so: a place in the list is what they are.
              return (
                <tr key={index}>
                  <td>
                    {name}
                    {isBare && <div className={styles.bare}>{text('console:accountWithoutSecret')}</div>}
                    {Object.entries(errors).map(([column, problem]) => (
                      <div key={column} className={styles.error} role="alert">
                        {column === 'non_field_errors' ? text('console:accountIsThere') : problem}
                      </div>
                    ))}
                  </td>
                  <td>{row['privileged'] === true && <CheckOutlined aria-label={t('yes')} />}</td>
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
                      onClick={remove}
                    />
                  </td>
                </tr>
              )
            })}
          </tbody>
        </table>
      )}
      {isCopy && rows.length > 0 && <p className={styles.bare}>{text('console:secretsNotCopied')}</p>}
      <Button
        icon={<PlusOutlined aria-hidden />}
        disabled={props.disabled || platformId === undefined}
        onClick={() => setOpen('new')}
      >
        {text('console:addAccount')}
      </Button>{' '}
      {can('accounts.view_accounttemplate') && (
        <Button
          icon={<PlusOutlined aria-hidden />}
          disabled={props.disabled || platformId === undefined}
          onClick={() => setChoosing(true)}
        >
          {text('console:accountTemplateAdd')}
        </Button>
      )}
      {choosing && (
        <Suspense>
          <TemplatesOfNewAccounts
            protocols={protocolsOf(protocols).map(({ name }) => name)}
            there={there}
            onChoose={(accounts) => props.onChange([...there, ...accounts])}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
      {open !== undefined && (
        <AccountDialog
          {...(platformId !== undefined && { platformId })}
          {...(edited && { taken: edited.row })}
          take={(account) => (edited ? edited.replace({ ...edited.row, ...account }) : add(account))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </div>
  )
}
