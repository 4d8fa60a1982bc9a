import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { useHydrated } from 'remix-utils/use-hydrated'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './list.module.css'
import type { useNewEvents } from './use-new-events.ts'

type Props = {
  /** The address of the page. */
  to: string
  tail: ReturnType<typeof useNewEvents>
}

/** Says whether the list gets new events by itself; without scripts only the link works, and only it is shown. */
export function NewEventsLine({ to, tail }: Props) {
  const { isPaused, setPaused, isOver } = tail
  const hasScripts = useHydrated()
  return (
    <p className={css.tail}>
      {/* Before what comes when the page hydrates, so that it stays in its place. */}
      <PageLink to={to}>Actualizar</PageLink>
      {hasScripts && !isOver && (
        <>
          <span role="status">{stateText(tail)}</span>
          <Button variant="default" size="xs" onClick={() => setPaused(!isPaused)}>
            {isPaused ? 'Continuar' : 'Pausar'}
          </Button>
        </>
      )}
      {isOver && <span role="status">La lista ya no se actualiza sola.</span>}
    </p>
  )
}

function stateText({ isPaused, rows, hasMore }: Props['tail']): string {
  if (isPaused) return 'En pausa: los eventos nuevos no aparecen.'
  if (hasMore) return 'Hay más eventos nuevos que los que caben aquí.'
  if (rows.length === 0) return 'Los eventos nuevos aparecen solos.'
  return rows.length === 1 ? '1 evento nuevo.' : `${rows.length} eventos nuevos.`
}
