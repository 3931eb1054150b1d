import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { expect, test } from 'vitest'
import { consolePage } from '../../testing/console-page.ts'
import { serveRows } from '../../testing/fixture-rows.ts'
import { hostId, mayChange } from '../../testing/form-rows.ts'

const at = consolePage(mayChange)

test('what a page shows of a set is not written back when one of it is taken away', async () => {
  const path = `/api/v1/assets/assets/${hostId}/`
  const asset = {
    id: hostId,
    name: 'web-1',
    category: { value: 'host', label: 'Host' },
    nodes: [
      { id: 'n1', name: 'One' },
      { id: 'n2', name: 'Two' },
    ],
    labels: [],
    protocols: [],
  }
  serveRows(at.fixture, Asset, [asset])
  const nodes = [1, 2, 3].map((id) => ({ id: `n${id}`, name: `${id}`, full_value: `/Node ${id}` }))
  serveRows(at.fixture, Node, nodes)
  await at.open(`/ui/console/assets/assets/${hostId}`)
  await at.button('Remove /Node 2').waitFor()
  asset.nodes.push({ id: 'n3', name: 'Three, added meanwhile' })
  await at.button('Remove /Node 2').click()
  await expect.poll(() => at.sentTo('PATCH', path)).toEqual({ nodes: [{ pk: 'n1' }, { pk: 'n3' }] })
})
