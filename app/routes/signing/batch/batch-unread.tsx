import { Sheet } from '#app/ui/frame/sheet.tsx'
import css from './batch.module.css'
import type { BatchPageView } from './batch-view.ts'

type Props = Pick<BatchPageView, 'unread' | 'moreUnread'>

/** Documents that join the batch after the signer read what was found in their files. */
export function BatchUnread({ unread, moreUnread }: Props) {
  return (
    <Sheet title="Antes de firmar estos, lea lo que se encontró en ellos">
      <ul className={css.refused}>
        {unread.map(({ id, title, folio, reason, address }) => (
          <li key={id}>
            {title} · Folio {folio}:{' '}
            {reason === 'being-judged' ? (
              'se está verificando; recargue la página en unos segundos.'
            ) : (
              <a href={address}>Leer y confirmar</a>
            )}
          </li>
        ))}
      </ul>
      {moreUnread > 0 && (
        <p className={css.quiet}>
          {moreUnread === 1 ? 'Hay uno más: aparece' : `Hay ${moreUnread} más: aparecen`} aquí
          conforme confirme estos.
        </p>
      )}
    </Sheet>
  )
}
