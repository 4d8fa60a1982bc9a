import { ButtonLink } from '#app/ui/text/button-link.tsx'
import { Icon } from '#app/ui/text/icon.tsx'
import css from './paging.module.css'

type Props = {
  /** What the list holds, for screen readers: `documentos`. */
  of: string
  newer?: string | undefined
  older?: string | undefined
}

/** Links through a long list, always in the same place; nothing if the list fits on one page. */
export function Paging({ of, newer, older }: Props) {
  if (!newer && !older) return null
  return (
    <nav className={css.paging} aria-label={`Páginas de ${of}`}>
      {newer && (
        <ButtonLink to={newer} variant="default" leftSection={<Icon name="left" />}>
          Más recientes
        </ButtonLink>
      )}
      {older && (
        <ButtonLink to={older} variant="default" rightSection={<Icon name="right" />}>
          Anteriores
        </ButtonLink>
      )}
    </nav>
  )
}
