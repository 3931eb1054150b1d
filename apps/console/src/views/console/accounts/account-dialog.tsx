import { Account, type accountsThere } from '@sallyport/contract/resources/accounts'
import type { AnswerOf } from '@sallyport/contract/resource/calls'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import { ApiError, isRecord } from '../../../kit/api/errors.ts'
import type { CallOptions } from '../../../kit/api/client.ts'
import { useMetadata, useSave } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { detailPath, listPath, pageOf, type RowId } from '../../../kit/api/resource.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import type { FormValues } from '../../../kit/form/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { usePlatform } from '../assets/platform.ts'
import { accountForm } from './account-form.ts'
import { AddedDialog, type Added } from './added-dialog.tsx'

interface AccountDialogProps {
  /** The account to change; left out to add one. */
  accountId?: RowId
  /** The asset the account is on; assets and nodes are asked for when neither it nor a platform is known. */
  assetId?: RowId
  /** The platform of the asset. */
  platformId?: RowId
  /** Takes the account in place of sending it to the server, as for an asset still to be made. */
  take?: (account: FormValues) => void
  /** What was taken before, to change it. */
  taken?: FormValues
  onClose: () => void
}

const list = listPath(Account.path)
const isThere = (body: unknown) => isRecord(body) && 'non_field_errors' in body
const there = {
  skip: 'console:accountThereSkip',
  update: 'console:accountThereUpdate',
  error: 'console:accountThereError',
} as const satisfies Record<(typeof accountsThere.values)[number], string>

/** Adds an account to one asset or many, made here or of a template; or changes one. */
export default function AccountDialog({
  accountId,
  assetId,
  platformId,
  take,
  taken,
  onClose,
}: AccountDialogProps) {
  const t = useKitText()
  const text = useMessages()
  const save = useSave(list)
  const client = useQueryClient()
  const [added, setAdded] = useState<readonly Added[]>()
  const platform = usePlatform(platformId)
  const metadata = useMetadata(list)
  const updating = accountId !== undefined || taken !== undefined
  const form = useMemo(() => {
    const protocols = platform.data?.protocols
    const usable = protocols && new Set(protocols.flatMap((one) => one.secret_types ?? []))
    const all = metadata.data?.actions?.POST?.['secret_type']?.choices ?? []
    const isStored = take === undefined && platform.data?.su_enabled === true
    return accountForm({
      asksForAssets: !updating && assetId === undefined && platformId === undefined,
      asksForTemplate: !updating && take === undefined,
      secretTypes: usable && all.filter(({ value }) => usable.has(String(value))),
      protocols: protocols?.map(({ name }) => name),
      ofThose: Object.entries(there).map(([value, key]) => ({ value, label: text(key) })),
      switchFrom: !isStored
        ? undefined
        : accountId !== undefined
          ? { account: accountId }
          : { ...(assetId !== undefined && { asset: assetId }) },
    })
  }, [accountId, updating, assetId, platformId, take, platform.data, metadata.data, text])
  const firstType = form.fields?.secret_type?.choices?.[0]?.value
  const initial = useMemo(
    () => (taken ? { ...taken, id: 'new' } : firstType === undefined ? {} : { secret_type: firstType }),
    [taken, firstType],
  )

  /** To all assets chosen, or of a template: each is told of. */
  const addToMany = async (payload: FormValues): Promise<readonly Added[]> => {
    const { from_template: template, assets = assetId === undefined ? [] : [assetId], ...account } = payload
    const body = { ...account, assets, ...(template ? { template: idIn(template) } : {}) }
    const answer: AnswerOf<typeof Account.calls.addToMany> = await call(Account, 'addToMany', {
      body: body as Parameters<typeof call<typeof Account, 'addToMany'>>[2]['body'],
    })
    await client.invalidateQueries({ queryKey: queryKeys.resource(list) })
    return pageOf(answer).results
  }
  /** The wire names the fields that would be there twice; a person is told what that means. */
  const unlessThere = (saved: Promise<unknown>) =>
    saved.catch((error: unknown) => {
      throw error instanceof ApiError && isThere(error.body)
        ? new ApiError(
            error.status,
            error.code,
            { non_field_errors: [text('console:accountIsThere')] },
            error,
          )
        : error
    })
  const submit = async (payload: FormValues, options: CallOptions): Promise<readonly Added[] | undefined> => {
    if (take) {
      take(payload)
    } else if (accountId !== undefined) {
      await unlessThere(save.mutateAsync({ id: accountId, method: 'PATCH', values: payload, ...options }))
    } else if (assetId === undefined || payload['from_template']) {
      return await addToMany(payload)
    } else {
      await unlessThere(save.mutateAsync({ values: { ...payload, asset: assetId } }))
    }
    return undefined
  }
  if (added) return <AddedDialog added={added} onClose={onClose} />
  return (
    <FormDialog<typeof Account, OwnField, readonly Added[] | undefined>
      {...form}
      title={text(updating ? 'console:updateAccount' : 'console:addAccount')}
      describedBy={accountId === undefined ? list : detailPath(list, accountId)}
      method={accountId === undefined ? 'POST' : 'PATCH'}
      row={accountId === undefined ? undefined : { path: list, id: accountId }}
      isWaiting={metadata.isPending || (platformId !== undefined && platform.isPending)}
      initial={initial}
      updating={updating}
      submitText={t('confirm')}
      onSubmit={submit}
      onSaved={(results) => {
        if (results && results.some(({ state }) => state.value !== 'created')) return setAdded(results)
        if (!take) toast.success(t(updating ? 'updateSuccess' : 'createSuccess'))
        onClose()
      }}
      onClose={onClose}
    />
  )
}

type OwnField = 'assets' | 'nodes' | 'on_invalid' | 'from_template' | 'username_typed' | 'privileged_by_name'

const idIn = (value: unknown) => (isRecord(value) ? (value['pk'] ?? value['id']) : value)
