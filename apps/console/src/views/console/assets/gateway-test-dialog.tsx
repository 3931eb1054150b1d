import { Gateway } from '@sallyport/contract/resources/assets'
import { AssetTasks } from '@sallyport/contract/resources/probes'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../kit/api/call.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { Form } from '../../../kit/form/form.tsx'
import { openTask } from '../../../kit/tasks/open-task.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'

/** Has a gateway signed in to and lead on to its SSH port, which another port may stand for outside; the log of that is shown as it runs. */
export default function GatewayTestDialog({ gateway, onClose }: { gateway: Gateway; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const port = gateway.protocols.find(({ name }) => name === 'ssh')?.port
  const meta = {
    type: 'integer',
    required: true,
    min_value: 1,
    max_value: 65_535,
    label: text('console:sshPort'),
    help_text: text('console:sshPortHelp'),
  }
  return (
    <Dialog title={`${text('testConnection')}: ${gateway.name}`} footer={null} onCancel={onClose}>
      <Form
        groups={[['basic', ['port']]]}
        metas={{ port: meta }}
        initial={{ port }}
        updating={false}
        submitText={t('confirm')}
        onSubmit={async (values) => {
          const { task } = await call(AssetTasks, 'ofGateway', {
            id: gateway.id,
            body: { port: values['port'] },
          })
          openTask(task, () => {
            void client.invalidateQueries({ queryKey: queryKeys.resource(Gateway.path) })
          })
        }}
        onSaved={onClose}
      />
    </Dialog>
  )
}
