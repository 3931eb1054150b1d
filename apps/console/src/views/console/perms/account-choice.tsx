import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { Account, accountAliases } from '@sallyport/contract/resources/accounts'
import { useQuery } from '@tanstack/react-query'
import { Checkbox, Select } from 'antd'
import { useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { call } from '../../../kit/api/call.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { relatedItems } from '../../../kit/relation/relation.ts'
import { useOpenedList } from '../../../kit/relation/use-opened-list.ts'
import { RelationSelect } from '../../../kit/relation/relation-select.tsx'
import { useMessages } from '../../../kit/text.ts'
import { nameSeparators, tidyNames } from '../../../kit/values/name-list.ts'
import { templateSource } from '../sources.ts'
import { accountsOf, isAlias } from './named-accounts.ts'
import styles from './perms.module.css'

const { all, spec, input, user } = accountAliases

const choices = [
  { alias: all, label: 'allAccounts', help: 'console:allAccountsHelp' },
  { alias: spec, label: 'specifiedAccounts', help: 'console:specifiedAccountsHelp' },
  { alias: input, label: 'manualAccount', help: 'console:manualAccountHelp' },
  { alias: user, label: 'sameAccount', help: 'console:sameAccountHelp' },
] as const

const suggestFromAtMost = 20
/** Before the id of a template, until the permission is saved. */
const templateMark = '%'
const everyTemplate = templateSource()

const idsOf = (value: unknown) =>
  relatedItems(value).flatMap(({ id }) => (id === undefined ? [] : [String(id)]))

interface AccountChoiceProps {
  id?: string
  value: readonly string[]
  onChange: (value: string[]) => void
  disabled: boolean
  /** Whose accounts are suggested. */
  assetIds: readonly string[]
  nodeIds: readonly string[]
}

/** With which accounts a permission lets people in: all or named ones, typed by hand, or called as they are. */
export function AccountChoice({ id, value, onChange, disabled, assetIds, nodeIds }: AccountChoiceProps) {
  const text = useMessages()
  const { canDo } = useAccess()
  const mayUseTemplates = canDo('view', AccountTemplate) && canDo('add', Account)
  const [typed, setTyped] = useState('')
  const list = useOpenedList()
  const named = value.filter((entry) => !isAlias(entry))
  const names = named.filter((entry) => !entry.startsWith(templateMark))
  const templates = named.flatMap((entry) => (entry.startsWith(templateMark) ? [entry.slice(1)] : []))
  const ticked = new Set(value.filter(isAlias))
  if (named.length > 0) {
    ticked.add(spec)
  }
  const suggestions = useQuery({
    queryKey: ['username-suggestions', typed, assetIds, nodeIds],
    queryFn: ({ signal }) =>
      call(
        Account,
        'usernames',
        {
          query: {
            username: typed,
            assets: assetIds.slice(0, suggestFromAtMost).join(','),
            nodes: nodeIds.slice(0, suggestFromAtMost).join(','),
          },
        },
        { signal },
      ),
    enabled: ticked.has(spec) && !disabled,
    placeholderData: (before) => before,
  })
  const toggle = (alias: string, on: boolean) => {
    const next = new Set([...ticked].filter((other) => other !== alias))
    if (on) {
      next.add(alias)
      // All accounts and named ones exclude each other.
      if (alias === all) next.delete(spec)
      if (alias === spec) next.delete(all)
    }
    onChange([...next, ...(next.has(spec) ? named : [])])
  }
  return (
    <div id={id} role="group" className={styles.accounts} aria-labelledby={id && `${id}-label`}>
      {choices.map(({ alias, label, help }) => (
        <div key={alias}>
          <Checkbox
            checked={ticked.has(alias)}
            disabled={disabled}
            onChange={(event) => toggle(alias, event.target.checked)}
          >
            {text(label)} <span className={styles.help}>{text(help)}</span>
          </Checkbox>
          {alias === spec && ticked.has(spec) && (
            <div className={styles.names}>
              <Select
                {...list}
                mode="tags"
                aria-label={text('specifiedAccounts')}
                placeholder={text('console:usernames')}
                value={names}
                disabled={disabled}
                tokenSeparators={nameSeparators}
                showSearch={{ onSearch: setTyped }}
                options={(suggestions.data ?? []).map((name) => ({ value: name, label: name }))}
                onChange={(chosen: string[]) =>
                  onChange([
                    ...ticked,
                    ...tidyNames(chosen),
                    ...templates.map((template) => templateMark + template),
                  ])
                }
              />
              {mayUseTemplates && (
                <>
                  <RelationSelect
                    label={text('console:accountsOfTemplates')}
                    placeholder={text('console:accountsOfTemplates')}
                    source={everyTemplate}
                    multiple
                    value={templates}
                    disabled={disabled}
                    onChange={(chosen) =>
                      onChange([
                        ...ticked,
                        ...names,
                        ...idsOf(chosen).map((template) => templateMark + template),
                      ])
                    }
                  />
                  <span className={styles.help}>{text('console:accountsOfTemplatesHelp')}</span>
                </>
              )}
            </div>
          )}
        </div>
      ))}
    </div>
  )
}

/** The same as a field of a form. */
export default function AccountChoiceField({ id, value, form, onChange, disabled }: WidgetProps) {
  const assets = useFieldValue(form, 'assets')
  const nodes = useFieldValue(form, 'nodes')
  return (
    <AccountChoice
      id={id}
      value={accountsOf(value)}
      onChange={onChange}
      disabled={disabled}
      assetIds={idsOf(assets)}
      nodeIds={idsOf(nodes)}
    />
  )
}
