import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './paging.module.css'

type Props = {
  /** What the list holds, for screen readers: `documentos`. */
  of: string
  newer?: string | undefined
  older?: string | undefined
  /** Of a list that does not begin with the newest. */
  names?: { newer: string; older: string }
}

const NEWEST_FIRST = { newer: 'Más recientes', older: 'Anteriores' }

/** Links through a long list, always in the same place; nothing if the list fits on one page. */
export function Paging({ of, newer, older, names = NEWEST_FIRST }: Props) {
  if (!newer && !older) return null
  return (
    <nav className={css.paging} aria-label={`Páginas de ${of}`}>
      {newer && (
        <ButtonLink to={newer} variant="default" leftSection={<Icon name="left" />}>
          {names.newer}
        </ButtonLink>
      )}
      {older && (
        <ButtonLink to={older} variant="default" rightSection={<Icon name="right" />}>
          {names.older}
        </ButtonLink>
      )}
    </nav>
  )
}
