import { LeftOutlined, RightOutlined } from '@ant-design/icons'
import { useKitText } from '../text.ts'
import styles from './pager.module.css'

const pagesShown = 5

/** The page numbers offered: five around the current one. */
export function pageNumbers(page: number, pages: number): number[] {
  const first = Math.max(1, Math.min(page - Math.floor(pagesShown / 2), pages - pagesShown + 1))
  return Array.from({ length: Math.min(pagesShown, pages) }, (_, index) => first + index)
}

interface PagerProps {
  page: number
  pageSize: number
  pageSizes: readonly number[]
  /** Takes a page number that is typed. */
  canJump?: boolean | undefined
  count: number
  onPage: (page: number) => void
  onPageSize: (size: number) => void
}

export function Pager({ page, pageSize, pageSizes, canJump, count, onPage, onPageSize }: PagerProps) {
  const t = useKitText()
  const pages = Math.max(1, Math.ceil(count / pageSize))
  const numbers = pageNumbers(page, pages)
  const button = (target: number) => (
    <button
      key={target}
      type="button"
      aria-current={target === page ? 'page' : undefined}
      onClick={() => onPage(target)}
    >
      {target}
    </button>
  )
  return (
    <nav className={styles.pager} aria-label={t('pages')}>
      <span className={styles.total}>{t('totalRows', { count })}</span>
      <button
        type="button"
        aria-label={t('previousPage')}
        disabled={page <= 1}
        onClick={() => onPage(page - 1)}
      >
        <LeftOutlined aria-hidden />
      </button>
      {(numbers[0] ?? 1) > 1 && (
        <>
          {button(1)}
          <span aria-hidden>…</span>
        </>
      )}
      {numbers.map(button)}
      {(numbers.at(-1) ?? pages) < pages && (
        <>
          <span aria-hidden>…</span>
          {button(pages)}
        </>
      )}
      <button
        type="button"
        aria-label={t('nextPage')}
        disabled={page >= pages}
        onClick={() => onPage(page + 1)}
      >
        <RightOutlined aria-hidden />
      </button>
      <select
        aria-label={t('pageSize')}
        value={pageSize}
        onChange={(event) => onPageSize(Number(event.target.value))}
      >
        {pageSizes.map((size) => (
          <option key={size} value={size}>
            {t('rowsPerPage', { size })}
          </option>
        ))}
      </select>
      {canJump && (
        <input
          type="number"
          min={1}
          max={pages}
          aria-label={t('goToPage')}
          placeholder={t('goToPage')}
          onKeyDown={({ key, currentTarget }) => {
            const target = currentTarget.valueAsNumber
            if (key !== 'Enter' || !Number.isInteger(target)) return
            currentTarget.value = ''
            onPage(Math.min(pages, Math.max(1, target)))
          }}
        />
      )}
    </nav>
  )
}
