import { Account } from '@sallyport/contract/resources/accounts'
import { useMemo } from 'react'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata, useSave } from '../../../kit/api/hooks.ts'
import { detailPath, listPath, type Row, type RowId } from '../../../kit/api/resource.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import type { FormValues } from '../../../kit/form/paths.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { usePlatform } from '../assets/platform.ts'
import { accountFields, accountGroups } from './account-form.ts'

interface AccountDialogProps {
  /** The account to change; left out to add one. */
  account?: Row
  /** The asset the account is on; asked for when neither it nor a platform is known. */
  assetId?: RowId
  /** The platform of the asset. */
  platformId?: RowId
  /** Takes the account in place of sending it to the server, as for an asset still to be made. */
  take?: (account: FormValues) => void
  onClose: () => void
}

const list = listPath(Account.path)
const nothing: FormValues = {}

/** Adds an account to one asset or several, or changes one. */
export default function AccountDialog({ account, assetId, platformId, take, onClose }: AccountDialogProps) {
  const t = useKitText()
  const text = useMessages()
  const save = useSave(list)
  const platform = usePlatform(platformId)
  const metadata = useMetadata(list)
  const updating = account !== undefined
  const fields = useMemo(() => {
    const taken = platform.data && new Set(platform.data.protocols.flatMap((one) => one.secret_types ?? []))
    const all = metadata.data?.actions?.POST?.['secret_type']?.choices ?? []
    const isStored = take === undefined && platform.data?.su_enabled === true
    return accountFields({
      asksForAssets: !updating && assetId === undefined && platformId === undefined,
      secretTypes: taken && all.filter(({ value }) => taken.has(String(value))),
      switchFrom: !isStored ? undefined : account ? { account: account.id } : { asset: assetId },
    })
  }, [account, updating, assetId, platformId, take, platform.data, metadata.data])
  if (metadata.isPending || (platformId !== undefined && platform.isPending)) {
    return null
  }
  const firstType = fields['secret_type']?.choices?.[0]?.value
  const initial = account ?? (firstType === undefined ? nothing : { secret_type: firstType })

  const submit = async (payload: FormValues) => {
    if (take) {
      take(payload)
      onClose()
      return
    }
    if (account) {
      await save.mutateAsync({ id: account.id, method: 'PATCH', values: payload })
    } else {
      const { assets, ...values } = payload
      const ids: unknown[] = assetId === undefined && Array.isArray(assets) ? assets : [assetId]
      const each = ids.map((asset) => ({ ...values, asset: isRecord(asset) ? asset['pk'] : asset }))
      await save.mutateAsync({ values: each.length === 1 ? each[0] : each })
    }
    toast.success(t(updating ? 'updateSuccess' : 'createSuccess'))
    onClose()
  }
  return (
    <FormDialog
      title={text(updating ? 'updateAccount' : 'addAccount')}
      describedBy={account && !take ? detailPath(list, account.id) : list}
      method={account && !take ? 'PATCH' : 'POST'}
      groups={accountGroups}
      fields={fields}
      initial={initial}
      updating={updating}
      submitText={t('confirm')}
      onSubmit={submit}
      onClose={onClose}
    />
  )
}
