import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import css from './new.module.css'
import { placed } from './use-order.ts'

type Props = {
  id: string
  /** `Acta de asamblea`, `firmante 2` */
  name: string
  ids: readonly string[]
  setIds: (ids: string[]) => void
  /** Holds the items, each an element with `data-item`. */
  list: RefObject<HTMLElement | null>
}

/** Room at the edges of the window in which it scrolls while an item is dragged. */
const EDGE = 48

/** Moves an item of a list with the pointer, or with the arrow keys. Only there with scripts: the buttons do the same without. */
export function DragHandle({ id, name, ids, setIds, list }: Props) {
  const hasScripts = useHasScripts()
  const before = useRef<readonly string[] | null>(null)
  const latest = useRef({ ids, setIds })
  useEffect(() => {
    latest.current = { ids, setIds }
  })
  if (!hasScripts || ids.length < 2) return null
  const place = ids.indexOf(id)

  const drag = ({ clientY }: { clientY: number }) => {
    if (before.current === null) return
    if (clientY < EDGE) window.scrollBy(0, -EDGE / 4)
    if (clientY > window.innerHeight - EDGE) window.scrollBy(0, EDGE / 4)
    latest.current.setIds(placed(latest.current.ids, id, placeAt(list.current, id, clientY)))
  }
  /* On the window: an element that is moved in the page loses the pointer that it has captured. */
  const begin = () => {
    before.current = ids
    const dragging = new AbortController()
    const { signal } = dragging
    const end = () => {
      before.current = null
      dragging.abort()
    }
    window.addEventListener('pointermove', drag, { signal })
    window.addEventListener('pointerup', end, { signal })
    window.addEventListener('pointercancel', end, { signal })
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && before.current) {
      setIds([...before.current])
      before.current = null
    }
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (step === 0) return
    event.preventDefault()
    setIds(placed(ids, id, place + step))
  }
  return (
    <button
      type="button"
      className={css.handle}
      aria-label={`Mover ${name}: lugar ${place + 1} de ${ids.length}. Arrastre, o use las flechas arriba y abajo.`}
      title="Arrastre para cambiar el orden"
      onPointerDown={begin}
      onKeyDown={press}
    >
      <svg viewBox="0 0 12 18" width={12} height={18} aria-hidden="true">
        {[3, 9, 15].flatMap((y) =>
          [3, 9].map((x) => <circle key={`${x} ${y}`} cx={x} cy={y} r={1.6} fill="currentColor" />),
        )}
      </svg>
    </button>
  )
}

/** How many of the other items have their middle above the pointer. */
function placeAt(list: HTMLElement | null, id: string, y: number): number {
  const items = [...(list?.querySelectorAll<HTMLElement>('[data-item]') ?? [])]
  const others = items.filter(({ dataset }) => dataset.item !== id)
  return others.filter((element) => {
    const { top, height } = element.getBoundingClientRect()
    return top + height / 2 < y
  }).length
}

/** False on the server and until the scripts run. */
function useHasScripts(): boolean {
  const [runs, setRuns] = useState(false)
  useEffect(() => setRuns(true), [])
  return runs
}
