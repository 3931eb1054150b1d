import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { Link } from '../../../kit/routes/navigation.tsx'
import { useMessages } from '../../../kit/text.ts'
import NewAccounts from '../accounts/new-accounts.tsx'
import styles from './assets.module.css'
import { assetListAddress } from './categories.ts'

/** The accounts of a new asset; of one that is there, the way to where they are changed. */
export default function AssetAccounts(props: WidgetProps) {
  const text = useMessages()
  const id = useFieldValue(props.form, 'id')
  return props.updating ? (
    <Link className={styles.fieldLink} to={`${assetListAddress}/${String(id)}?activeTab=Account`}>
      {text('console:accountList')}
    </Link>
  ) : (
    <NewAccounts {...props} />
  )
}
