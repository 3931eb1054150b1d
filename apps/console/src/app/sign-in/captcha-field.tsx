import { signInPages } from '@sallyport/contract/addresses'
import { useEffect, useState } from 'react'
import { api } from '../../kit/api/client.ts'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

/** A captcha as the server hands it out: its key, and where it is seen and heard. */
interface Captcha {
  key: string
  image_url: string
  audio_url: string
}

interface CaptchaFieldProps {
  id: string
  /** Of what says what is wrong. */
  errorId: string
}

/** Digits to read off a picture, or to count by ear. Mounted anew, it shows others: each is good once. */
export function CaptchaField({ id, errorId }: CaptchaFieldProps) {
  const t = useSignInText()
  const [captcha, setCaptcha] = useState<Captcha>()
  const [isPlaying, setPlaying] = useState(false)
  useEffect(() => {
    const leaving = new AbortController()
    // Without an answer no picture is there, and the button asks for another.
    newCaptcha(leaving.signal).then(setCaptcha, () => undefined)
    return () => leaving.abort()
  }, [])
  const another = async () => {
    try {
      setCaptcha(await newCaptcha())
    } catch {
      // The button is still there.
    }
  }
  const listen = async (address: string) => {
    setPlaying(true)
    try {
      await play(address)
    } catch {
      // Too old, or no loudspeaker: another one may do.
      await another()
    }
    setPlaying(false)
  }
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {t('captcha')}
      </label>
      <div className={styles.captcha}>
        {captcha && <img src={captcha.image_url} alt={t('captchaPicture')} width={180} height={38} />}
        <div>
          <button type="button" onClick={() => void another()}>
            {t('captchaAnother')}
          </button>
          <button
            type="button"
            disabled={captcha === undefined || isPlaying}
            onClick={() => captcha && void listen(captcha.audio_url)}
          >
            {t('captchaListen')}
          </button>
        </div>
      </div>
      <input type="hidden" name="captcha_0" value={captcha?.key ?? ''} />
      <input
        className={styles.input}
        id={id}
        name="captcha_1"
        inputMode="numeric"
        autoComplete="off"
        maxLength={16}
        required
        aria-describedby={`${id}-hint ${errorId}`}
      />
      <p className={styles.hint} id={`${id}-hint`}>
        {t('captchaHint')}
      </p>
    </>
  )
}

const newCaptcha = (signal?: AbortSignal) =>
  api.get<Captcha>(signInPages.newCaptcha, {
    ...(signal && { signal }),
    headers: { 'X-Requested-With': 'XMLHttpRequest' },
  })

/** Resolves when it was heard to its end. */
async function play(address: string): Promise<void> {
  const bytes = await (await api.raw(address)).arrayBuffer()
  const speaker = new AudioContext()
  try {
    const sound = speaker.createBufferSource()
    sound.buffer = await speaker.decodeAudioData(bytes)
    sound.connect(speaker.destination)
    const over = new Promise((resolve) => sound.addEventListener('ended', resolve, { once: true }))
    sound.start()
    await over
  } finally {
    await speaker.close()
  }
}
