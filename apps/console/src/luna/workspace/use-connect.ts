import { useRef, useState } from 'react'
import { toast } from '../../kit/feedback/toast.ts'
import { useErrorText } from '../error-text.ts'
import { useText } from '../text.ts'
import {
  type Choice,
  type ConnectionToken,
  createToken,
  exchangeToken,
  isNativeMethod,
  loadOffer,
  type ManualSecret,
  nativeCommand,
  obviousChoice,
  type Offer,
} from './connecting.ts'
import type { TabsAction, TerminalTab } from './tabs.ts'
import { useReview } from './use-review.ts'

interface Native {
  assetName: string
  command: string
  password: string
}

/** The way from "this asset" to an open terminal: what is offered, what is asked, the token, the tab. */
export function useConnect(dispatch: (action: TabsAction) => void) {
  const t = useText()
  const errorText = useErrorText()
  const { reviewing, withReview } = useReview()
  const [offer, setOffer] = useState<Offer>()
  const [error, setError] = useState<string>()
  /** The tab that the choice is for; without it a new one is opened. */
  const [renewing, setRenewing] = useState<TerminalTab>()
  const [isBusy, setBusy] = useState(false)
  const [native, setNative] = useState<Native>()
  /** Assets on their way to a terminal: asking for one again meanwhile would open it twice. */
  const starting = useRef(new Set<string>())

  const close = () => {
    setOffer(undefined)
    setError(undefined)
    setRenewing(undefined)
  }

  const attempt = async (action: () => Promise<void>, onError: (text: string) => void) => {
    setBusy(true)
    try {
      await action()
    } catch (failure) {
      onError(errorText(failure))
    } finally {
      setBusy(false)
    }
  }

  /** Answers whether it was opened: the person may not want to wait for the approval it needs. */
  const openWith = async (asset: Offer['asset'], choice: Choice, manual?: ManualSecret): Promise<boolean> => {
    const token = await withReview(asset.name, (createTicket) =>
      createToken(asset.id, choice, manual, createTicket),
    )
    if (token === undefined) return false
    if (isNativeMethod(choice.method)) {
      setNative({ assetName: asset.name, command: await nativeCommand(token), password: token.value })
      return true
    }
    const isManual = manual !== undefined
    if (renewing) dispatch({ do: 'renew', key: renewing.key, token, choice, isManual })
    else openTab({ assetId: asset.id, assetName: asset.name, choice, isManual }, token)
    return true
  }

  const openTab = (
    tab: Pick<TerminalTab, 'assetId' | 'assetName' | 'choice' | 'isManual'>,
    token: ConnectionToken,
  ) => {
    const { assetId, assetName, choice, isManual } = tab
    dispatch({ do: 'open', tab: { assetId, assetName, choice, isManual, token } })
  }

  /** A token for the choices of an open terminal; one with a typed secret is renewed on the server, which still has the secret. */
  const tokenLike = (tab: TerminalTab) =>
    tab.isManual
      ? exchangeToken(tab.token.id)
      : withReview(tab.assetName, (createTicket) =>
          createToken(tab.assetId, tab.choice, undefined, createTicket),
        )

  return {
    offer,
    error,
    isBusy,
    native,
    reviewing,
    closeNative: () => setNative(undefined),
    closeOffer: close,

    /** Opens a terminal on an asset; asks unless there is only one way, or the person said to repeat the last. */
    start: async (assetId: string, ask: boolean, onError: (text: string) => void = toast.error) => {
      if (starting.current.has(assetId)) return
      starting.current.add(assetId)
      await attempt(async () => {
        close()
        const found = await loadOffer(assetId)
        if (!found) {
          onError(t('assetNotGranted'))
          return
        }
        const choice = ask ? undefined : obviousChoice(found)
        if (!choice) {
          setOffer(found)
          return
        }
        await attempt(
          async () => {
            await openWith(found.asset, choice)
          },
          (text) => {
            // What was chosen without asking failed: now the person chooses.
            setError(text)
            setOffer(found)
          },
        )
      }, onError)
      starting.current.delete(assetId)
    },

    /** Opens with what the person chose in the dialog. */
    choose: (choice: Choice, manual: ManualSecret | undefined) =>
      attempt(async () => {
        if (!offer) return
        if (await openWith(offer.asset, choice, manual)) close()
      }, setError),

    duplicate: (tab: TerminalTab) =>
      attempt(async () => {
        const token = await tokenLike(tab)
        if (token) openTab(tab, token)
      }, toast.error),

    reconnect: (tab: TerminalTab) =>
      attempt(
        async () => {
          const { key, choice, isManual } = tab
          const token = await tokenLike(tab)
          if (token) dispatch({ do: 'renew', key, choice, isManual, token })
        },
        (text) => {
          if (!tab.isManual) {
            toast.error(text)
            return
          }
          // The server forgets a typed secret with its token: the person types it again.
          void attempt(async () => {
            setOffer(await loadOffer(tab.assetId))
            setRenewing(tab)
          }, toast.error)
        },
      ),
  }
}
