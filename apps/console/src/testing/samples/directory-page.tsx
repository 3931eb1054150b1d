import { FormPage } from '../../kit/form/form-page.tsx'
import { Directory } from './directory.ts'

/** Fields whose rules the server declares: addresses, words, schedules, attributes, JSON, and a list whose last row stays. */
export default function DirectoryPage() {
  return (
    <FormPage
      resource={Directory}
      groups={[['basic', ['address', 'prefix', 'crontab', 'names', 'options', 'servers']]]}
    />
  )
}
