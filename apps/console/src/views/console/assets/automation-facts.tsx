import { type Automation, automations } from '@sallyport/contract/assets/constraints'
import { Platform } from '@sallyport/contract/resources/platforms'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'
import { methodName, methodsOf } from './platform-kind.ts'

/** What is done to machines of a platform by itself, and by which method. */
export default function AutomationFacts({ platform }: { platform: Platform }) {
  const t = useKitText()
  const text = useMessages()
  const labels = useMetadata(listPath(Platform.path)).data?.actions?.GET?.['automation']?.children ?? {}
  const { automation } = platform
  const isAutomated = automation.ansible_enabled
  const told = (name: Automation) => {
    if (!isAutomated || !automation[`${name}_enabled`]) return t('no')
    const id = automation[`${name}_method`]
    const isKnown = methodsOf(platform, name).some((method) => method.id === id)
    return isKnown ? methodName(name, platform.type, text) : (id ?? t('yes'))
  }
  return (
    <dl className={styles.facts}>
      <dt>{labels['ansible_enabled']?.label}</dt>
      <dd>{t(isAutomated ? 'yes' : 'no')}</dd>
      {automations.map((name) => (
        <div key={name} style={{ display: 'contents' }}>
          <dt>{labels[`${name}_enabled`]?.label}</dt>
          <dd>{told(name)}</dd>
        </div>
      ))}
    </dl>
  )
}
