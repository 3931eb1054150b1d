const paths = {
  close: 'M4 4l8 8M12 4l-8 8',
  chevron: 'M6 4l4 4-4 4',
  search: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.4 10.4L14 14',
  settings: 'M2.5 4.5h6M11.5 4.5h2M2.5 11.5h2M7.5 11.5h6M10 3v3M6 10v3',
  fullscreen: 'M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10',
  sun: 'M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9',
  moon: 'M13.2 9.6A5.6 5.6 0 0 1 6.4 2.8a5.6 5.6 0 1 0 6.8 6.8z',
  star: 'M8 2.2l1.8 3.7 4 .6-2.9 2.8.7 4L8 11.4l-3.6 1.9.7-4L2.2 6.5l4-.6z',
  folder:
    'M2 4.2c0-.7.5-1.2 1.2-1.2h2.9l1.4 1.6h5.3c.7 0 1.2.5 1.2 1.2v6c0 .7-.5 1.2-1.2 1.2H3.2c-.7 0-1.2-.5-1.2-1.2z',
  host: 'M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01',
  refresh: 'M13 8a5 5 0 1 1-1.6-3.7M13.2 2.3v2.6h-2.6',
  terminal: 'M2 3.5c0-.6.4-1 1-1h10c.6 0 1 .4 1 1v9c0 .6-.4 1-1 1H3c-.6 0-1-.4-1-1zM4.8 6l2 2-2 2M8.5 10.2h3',
  sidebar: 'M2.5 3h11v10h-11zM6.2 3v10',
  play: 'M4.5 2.8l8.3 5.2-8.3 5.2z',
  pause: 'M5 3v10M11 3v10',
  restart: 'M3 8a5 5 0 1 0 1.6-3.7M2.8 2.3v2.6h2.6',
  download: 'M8 2.5v7.5M4.8 7L8 10.2 11.2 7M2.8 13.3h10.4',
  stop: 'M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12zM6 6h4v4H6z',
  copy: 'M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3',
  list: 'M5.5 4h8M5.5 8h8M5.5 12h8M2.5 4h.01M2.5 8h.01M2.5 12h.01',
} as const

export type IconName = keyof typeof paths

/** A line icon in the text's colour; decoration only, the control beside it carries the name. */
export function Icon({ name, filled = false }: { name: IconName; filled?: boolean }) {
  return (
    <svg
      className="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill={filled ? 'currentColor' : 'none'}
      stroke="currentColor"
      strokeWidth="1.4"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={paths[name]} />
    </svg>
  )
}
