import type { Page } from 'playwright-core'

/**
 * Counts how often React draws components whose element fits `selector`, from the next page load on. React tells
 * the hook of its developer tools about every commit, in delivered builds too.
 */
export async function countDraws(page: Page, selector: string): Promise<() => Promise<number>> {
  await page.addInitScript(countCommits, selector)
  return () => page.evaluate('draws')
}

interface Fiber {
  flags: number
  child: Fiber | null
  sibling: Fiber | null
  alternate: Fiber | null
  stateNode: unknown
}

/** Runs in the page, so it names nothing from outside. */
function countCommits(selector: string): void {
  const performedWork = 1
  const counter = window as unknown as { draws: number }
  counter.draws = 0
  const visit = (fiber: Fiber, before: Fiber | null) => {
    const element = fiber.child?.stateNode
    if (fiber.flags & performedWork && element instanceof Element && element.matches(selector)) {
      counter.draws += 1
    }
    // What was not looked at again still has the children of the last commit.
    if (before === null || fiber.child !== before.child) {
      for (let child = fiber.child; child; child = child.sibling) {
        visit(child, child.alternate)
      }
    }
  }
  const hook = {
    supportsFiber: true,
    isDisabled: false,
    inject: () => 1,
    onCommitFiberUnmount: () => undefined,
    onPostCommitFiberRoot: () => undefined,
    onCommitFiberRoot: (_renderer: number, root: { current: Fiber }) =>
      visit(root.current, root.current.alternate),
  }
  Object.assign(window, { __REACT_DEVTOOLS_GLOBAL_HOOK__: hook })
}
