import { useState } from 'react'
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

interface Native {
  assetName: string
  command: string
  password: string
}

/** The way from "this asset" to an open terminal: what is offered, what is asked, the token, the tab. */
export function useConnect(dispatch: (action: TabsAction) => void) {
  const t = useText()
  const errorText = useErrorText()
  const [offer, setOffer] = useState<Offer>()
  const [error, setError] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [native, setNative] = useState<Native>()

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

  const openWith = async (asset: Offer['asset'], choice: Choice, manual?: ManualSecret) => {
    const token = await createToken(asset.id, choice, manual)
    if (isNativeMethod(choice.method)) {
      setNative({ assetName: asset.name, command: await nativeCommand(token), password: token.value })
      return
    }
    openTab({ assetId: asset.id, assetName: asset.name, choice, isManual: manual !== undefined }, token)
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
    tab.isManual ? exchangeToken(tab.token.id) : createToken(tab.assetId, tab.choice)

  return {
    offer,
    error,
    isBusy,
    native,
    closeNative: () => setNative(undefined),
    closeOffer: () => {
      setOffer(undefined)
      setError(undefined)
    },

    /** Opens a terminal on an asset; asks unless there is only one way, or the person said to repeat the last. */
    start: (assetId: string, ask: boolean) =>
      attempt(async () => {
        setError(undefined)
        const found = await loadOffer(assetId)
        if (!found) {
          toast.error(t('assetNotGranted'))
          return
        }
        const choice = ask ? undefined : obviousChoice(found)
        if (!choice) {
          setOffer(found)
          return
        }
        await attempt(
          () => openWith(found.asset, choice),
          (text) => {
            // What was chosen without asking failed: now the person chooses.
            setError(text)
            setOffer(found)
          },
        )
      }, toast.error),

    /** Opens with what the person chose in the dialog. */
    choose: (choice: Choice, manual: ManualSecret | undefined) =>
      attempt(async () => {
        if (!offer) return
        await openWith(offer.asset, choice, manual)
        setOffer(undefined)
        setError(undefined)
      }, setError),

    duplicate: (tab: TerminalTab) => attempt(async () => openTab(tab, await tokenLike(tab)), toast.error),

    reconnect: (tab: TerminalTab) =>
      attempt(async () => dispatch({ do: 'renew', key: tab.key, token: await tokenLike(tab) }), toast.error),
  }
}
