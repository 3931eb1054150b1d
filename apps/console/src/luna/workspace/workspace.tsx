import './workspace.css'
import { useEffect, useReducer, useRef, useState, useSyncExternalStore } from 'react'
import { flushSync } from 'react-dom'
import { sessionState, subscribeToSessionState } from '../../kit/session/login-state.ts'
import { isDark, setThemeMode, subscribeToMode } from '../../kit/theme/mode.ts'
import { chooseOrganization, currentOrganizationId, useKeepSignedIn, usePerson } from '../person.tsx'
import { SignedOutCover } from '../signed-out-cover.tsx'
import { useText } from '../text.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Icon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { Spinner } from '../ui/spinner.tsx'
import { AssetSearch } from './asset-search.tsx'
import { AssetTree } from './asset-tree.tsx'
import { ConnectDialog } from './connect-dialog.tsx'
import { NativeDialog } from './native-dialog.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { SettingsDialog } from './settings-dialog.tsx'
import { TabBar } from './tab-bar.tsx'
import { isRunning, noTabs, reduceTabs, type TerminalTab as Tab } from './tabs.ts'
import { TerminalTab } from './terminal-tab.tsx'
import { useConnect } from './use-connect.ts'
import { useShortcuts } from './use-shortcuts.ts'

const narrow = '(max-width: 760px)'

/** Assets on the left, terminals on the right; `single` is the page that only holds what its address asks for. */
export function Workspace({ single }: { single: boolean }) {
  const t = useText()
  const dark = useSyncExternalStore(subscribeToMode, isDark)
  useKeepSignedIn()
  const [state, dispatch] = useReducer(reduceTabs, noTabs)
  const [isSidebarOpen, setSidebarOpen] = useState(!single)
  const [searchText, setSearchText] = useState('')
  const [isSettingsOpen, setSettingsOpen] = useState(false)
  const [closing, setClosing] = useState<Tab[]>()
  const [shutOut, setShutOut] = useState(false)
  // What a terminal said of the login that ended holds for no other.
  useEffect(() => subscribeToSessionState(() => sessionState() === 'live' && setShutOut(false)), [])
  const connect = useConnect(dispatch)
  const giveRoom = () => window.matchMedia(narrow).matches && setSidebarOpen(false)
  const requested = useRequestedAsset((...args) => {
    giveRoom()
    return connect.start(...args)
  })
  const mainRef = useRef<HTMLElement>(null)
  const { tabs, activeKey } = state

  useLeaveWarning(tabs.some(isRunning))
  // Where there is only room for one of them the terminal stays.
  const hasTabs = tabs.length > 0
  useEffect(() => {
    const query = window.matchMedia(narrow)
    const onChange = () => query.matches && hasTabs && setSidebarOpen(false)
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [hasTabs])
  useEffect(() => {
    document.title = tabs.find(({ key }) => key === activeKey)?.title ?? t('webTerminal')
  }, [tabs, activeKey, t])
  useShortcuts({
    step: (by) => {
      const index = tabs.findIndex(({ key }) => key === activeKey)
      const next = tabs[(index + by + tabs.length) % tabs.length]
      if (next) dispatch({ do: 'activate', key: next.key })
    },
    search: () => {
      // At once, so that the very next key lands in the field.
      flushSync(() => setSidebarOpen(true))
      document.getElementById('asset-search')?.focus()
    },
  })

  const start = (assetId: string, ask: boolean) => {
    giveRoom()
    requested.forget()
    void connect.start(assetId, ask)
  }
  const close = (targets: Tab[]) => {
    if (targets.some(isRunning)) setClosing(targets)
    else for (const { key } of targets) dispatch({ do: 'close', key })
  }
  const find = (key: string) => tabs.filter((tab) => tab.key === key)

  return (
    <div className="workspace">
      {isSidebarOpen && (
        <aside className="sidebar">
          <OrganizationChoice />
          <AssetSearch text={searchText} onText={setSearchText} onConnect={start} />
          {searchText.trim() === '' && <AssetTree onConnect={start} />}
        </aside>
      )}
      <main className="work" ref={mainRef}>
        <header className="work-head">
          <IconButton
            icon="sidebar"
            label={isSidebarOpen ? t('hideAssets') : t('showAssets')}
            aria-expanded={isSidebarOpen}
            onClick={() => setSidebarOpen(!isSidebarOpen)}
          />
          <TabBar
            tabs={tabs}
            activeKey={activeKey}
            onActivate={(key) => dispatch({ do: 'activate', key })}
            onClose={(key) => close(find(key))}
            onCloseOthers={(key) => close(tabs.filter((tab) => tab.key !== key))}
            onRename={(key, title) => dispatch({ do: 'rename', key, title })}
            onMove={(key, by) => dispatch({ do: 'move', key, by })}
            onDuplicate={(tab) => void connect.duplicate(tab)}
            onReconnect={(tab) => void connect.reconnect(tab)}
          />
          <div className="work-tools">
            <IconButton
              icon={dark ? 'sun' : 'moon'}
              label={dark ? t('useLight') : t('useDark')}
              onClick={() => setThemeMode(dark ? 'light' : 'dark')}
            />
            <IconButton icon="settings" label={t('terminalSettings')} onClick={() => setSettingsOpen(true)} />
            <IconButton
              icon="fullscreen"
              label={t('fullScreen')}
              onClick={() => toggleFullScreen(mainRef.current)}
            />
          </div>
        </header>
        <div className="panels">
          {tabs.map((tab) => (
            <div
              key={tab.key}
              id={`panel-${tab.key}`}
              role="tabpanel"
              aria-labelledby={`tab-${tab.key}`}
              className="panel"
              hidden={tab.key !== activeKey}
            >
              <TerminalTab
                key={tab.generation}
                tokenId={tab.token.id}
                assetName={tab.assetName}
                isActive={tab.key === activeKey}
                onShutOut={() => setShutOut(true)}
                onPhase={(phase) => dispatch({ do: 'phase', key: tab.key, phase })}
                onRenew={() => void connect.reconnect(tab)}
              />
            </div>
          ))}
          {tabs.length === 0 && requested.isAsked && <Spinner label={t('connecting')} />}
          {tabs.length === 0 && requested.failure !== undefined && (
            <Notice
              title={t('requestedFailed')}
              text={requested.failure}
              action={{ label: t('retry'), onClick: requested.ask }}
            />
          )}
          {tabs.length === 0 && !requested.isAsked && requested.failure === undefined && (
            <Welcome onShowAssets={() => setSidebarOpen(true)} />
          )}
        </div>
      </main>
      {connect.offer && (
        <ConnectDialog
          key={connect.offer.asset.id}
          offer={connect.offer}
          error={connect.error}
          isBusy={connect.isBusy}
          onConnect={(choice, manual) => void connect.choose(choice, manual)}
          onClose={connect.closeOffer}
        />
      )}
      {connect.native && <NativeDialog {...connect.native} onClose={connect.closeNative} />}
      {connect.reviewing && <ReviewDialog reviewing={connect.reviewing} />}
      {!shutOut && <SignedOutCover />}
      {isSettingsOpen && <SettingsDialog onClose={() => setSettingsOpen(false)} />}
      {closing && (
        <Dialog
          title={t('closeTitle')}
          onClose={() => setClosing(undefined)}
          submit={{
            label: t('closeAnyway'),
            look: 'danger',
            onSubmit: () => {
              for (const { key } of closing) dispatch({ do: 'close', key })
              setClosing(undefined)
            },
          }}
        >
          <p>
            {t('closeText', {
              names: closing
                .filter(isRunning)
                .map(({ title }) => title)
                .join(', '),
            })}
          </p>
        </Dialog>
      )}
    </div>
  )
}

function Welcome({ onShowAssets }: { onShowAssets: () => void }) {
  const t = useText()
  return (
    <div className="welcome">
      <Icon name="terminal" />
      <h1>{t('welcomeTitle')}</h1>
      <p>{t('welcomeText')}</p>
      <dl className="shortcuts">
        <dt>
          <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>F</kbd>
        </dt>
        <dd>{t('shortcutSearch')}</dd>
        <dt>
          <kbd>Ctrl</kbd> <kbd>Shift</kbd> <kbd>←</kbd> <kbd>→</kbd>
        </dt>
        <dd>{t('shortcutSwitch')}</dd>
        <dt>
          <kbd>Shift</kbd> <kbd>Enter</kbd>
        </dt>
        <dd>{t('shortcutAsk')}</dd>
      </dl>
      <Button look="primary" className="only-narrow" onClick={onShowAssets}>
        {t('showAssets')}
      </Button>
    </div>
  )
}

function OrganizationChoice() {
  const t = useText()
  const { workbench_orgs: organizations } = usePerson().profile
  if (organizations.length < 2) return null
  return (
    <label className="organization">
      <span className="visually-hidden">{t('organization')}</span>
      <select
        value={currentOrganizationId() ?? ''}
        onChange={(event) => chooseOrganization(event.target.value)}
      >
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}

/**
 * Connects to the asset the page's address names, once (`?login_to=` or `?asset=`). It is what the page was opened for: that it is on its
 * way is shown, and a failure stays until something else is opened.
 */
function useRequestedAsset(start: ReturnType<typeof useConnect>['start']) {
  const [isAsked, setAsked] = useState(false)
  const [failure, setFailure] = useState<string>()
  const ask = () => {
    const query = new URLSearchParams(location.search)
    const assetId = query.get('login_to') ?? query.get('asset')
    if (assetId === null) return
    setFailure(undefined)
    setAsked(true)
    void start(assetId, false, setFailure).finally(() => setAsked(false))
  }
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current) return
    isDone.current = true
    ask()
  })
  return { isAsked, failure, ask, forget: () => setFailure(undefined) }
}

/** The browser asks before it leaves a page with running terminals. */
function useLeaveWarning(isNeeded: boolean) {
  useEffect(() => {
    if (!isNeeded) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}

function toggleFullScreen(element: HTMLElement | null) {
  if (document.fullscreenElement) void document.exitFullscreen()
  else void element?.requestFullscreen()
}
