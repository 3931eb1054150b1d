import { ownPictures } from '@sallyport/contract/constants'
import { useState } from 'react'

const own: ReadonlySet<string> = new Set(Object.values(ownPictures))

/** The platform's logo; our own mark and name, in the colour around them, where none is set or it can't be loaded. */
export function Logo({ image }: { image: string }) {
  const [failed, setFailed] = useState('')
  if (image && !own.has(image) && failed !== image) {
    return <img src={image} alt="" onError={() => setFailed(image)} />
  }
  return (
    <>
      <svg
        width="22"
        height="22"
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        aria-hidden
      >
        <path d="M3 21V5h3v3h3V5h6v3h3V5h3v16" strokeLinejoin="round" />
        <path d="M9 21v-5a3 3 0 0 1 6 0v5M2 21h20" strokeLinecap="round" />
      </svg>
      <span>Sallyport</span>
    </>
  )
}
