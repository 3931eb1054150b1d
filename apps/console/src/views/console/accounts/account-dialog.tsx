import { Account } from '@sallyport/contract/resources/accounts'
import { useMemo } from 'react'
import { isRecord } from '../../../kit/api/errors.ts'
import type { CallOptions } from '../../../kit/api/client.ts'
import { useMetadata, useSave } from '../../../kit/api/hooks.ts'
import { detailPath, listPath, type RowId } from '../../../kit/api/resource.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import type { FormValues } from '../../../kit/form/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { usePlatform } from '../assets/platform.ts'
import { accountForm } from './account-form.ts'

interface AccountDialogProps {
  /** The account to change; left out to add one. */
  accountId?: RowId
  /** The asset the account is on; asked for when neither it nor a platform is known. */
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

/** Adds an account to one asset or several, or changes one. */
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
  const platform = usePlatform(platformId)
  const metadata = useMetadata(list)
  const updating = accountId !== undefined || taken !== undefined
  const form = useMemo(() => {
    const usable = platform.data && new Set(platform.data.protocols.flatMap((one) => one.secret_types ?? []))
    const all = metadata.data?.actions?.POST?.['secret_type']?.choices ?? []
    const isStored = take === undefined && platform.data?.su_enabled === true
    return accountForm({
      asksForAssets: !updating && assetId === undefined && platformId === undefined,
      secretTypes: usable && all.filter(({ value }) => usable.has(String(value))),
      switchFrom: !isStored
        ? undefined
        : accountId !== undefined
          ? { account: accountId }
          : { ...(assetId !== undefined && { asset: assetId }) },
    })
  }, [accountId, updating, assetId, platformId, take, platform.data, metadata.data])
  const firstType = form.fields?.secret_type?.choices?.[0]?.value
  const initial = useMemo(
    () => (taken ? { ...taken, id: 'new' } : firstType === undefined ? {} : { secret_type: firstType }),
    [taken, firstType],
  )

  const submit = async (payload: FormValues, call: CallOptions) => {
    if (take) {
      take(payload)
    } else if (accountId !== undefined) {
      await save.mutateAsync({ id: accountId, method: 'PATCH', values: payload, ...call })
    } else {
      const { assets, ...values } = payload
      const ids: unknown[] = assetId === undefined && Array.isArray(assets) ? assets : [assetId]
      const each = ids.map((asset) => ({ ...values, asset: isRecord(asset) ? asset['pk'] : asset }))
      await save.mutateAsync({ values: each.length === 1 ? each[0] : each })
    }
  }
  return (
    <FormDialog<typeof Account, 'assets' | 'username_typed', void>
      {...form}
      title={text(updating ? 'updateAccount' : 'addAccount')}
      describedBy={accountId === undefined ? list : detailPath(list, accountId)}
      method={accountId === undefined ? 'POST' : 'PATCH'}
      row={accountId === undefined ? undefined : { path: list, id: accountId }}
      isWaiting={metadata.isPending || (platformId !== undefined && platform.isPending)}
      initial={initial}
      updating={updating}
      submitText={t('confirm')}
      onSubmit={submit}
      onSaved={() => {
        if (!take) toast.success(t(updating ? 'updateSuccess' : 'createSuccess'))
        onClose()
      }}
      onClose={onClose}
    />
  )
}
