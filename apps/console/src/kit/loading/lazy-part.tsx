import { Component, type ComponentType, lazy, type ReactNode } from 'react'
import { loadCode, LoadFailed } from './load-code.ts'
import { PartFailed } from './part-failed.tsx'

type PropsOf<T> = T extends ComponentType<infer P> ? P : never
type Props = Record<string, unknown>

/**
 * A component whose code is fetched when it is first shown. Where that fails, its place says so (or `instead` is shown),
 * and the page around it stays as it is. Show it inside a Suspense.
 */
export function lazyPart<T extends ComponentType<never>>(
  load: () => Promise<{ default: T }>,
  { instead }: { instead?: ComponentType<PropsOf<T>> } = {},
): T {
  const fetched = () => loadCode(load as unknown as () => Promise<{ default: ComponentType<Props> }>)
  const Instead = instead as ComponentType<Props> | undefined
  let Part = lazy(fetched)
  const forget = () => {
    Part = lazy(fetched)
  }
  function LazyPart(props: Props) {
    const failed = (error: LoadFailed, again: () => void) =>
      Instead ? <Instead {...props} /> : <PartFailed error={error} onRetry={again} />
    return (
      <LoadBoundary failed={failed} forget={forget}>
        {() => <Part {...props} />}
      </LoadBoundary>
    )
  }
  return LazyPart as unknown as T
}

interface LoadBoundaryProps {
  failed: (error: LoadFailed, again: () => void) => ReactNode
  /** Lets the next attempt load anew. */
  forget: () => void
  children: () => ReactNode
}

/** Any other error is the page's. */
class LoadBoundary extends Component<LoadBoundaryProps, { error: unknown }> {
  override state = { error: undefined }

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch() {
    this.props.forget()
  }

  override render() {
    const { error } = this.state as { error: unknown }
    if (error === undefined) return this.props.children()
    if (!(error instanceof LoadFailed)) throw error
    return this.props.failed(error, () => this.setState({ error: undefined }))
  }
}
