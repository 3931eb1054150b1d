import { useTranslation } from 'react-i18next'

/** Texts of the pages before signing in (namespace `sign-in`), and with `kit:` before them those of the kit. */
export function useSignInText() {
  return useTranslation(['sign-in', 'kit']).t
}
