import '@mantine/core/styles/Overlay.css'
import '@mantine/core/styles/ModalBase.css'
import '@mantine/core/styles/Modal.css'
import '@mantine/core/styles/ScrollArea.css'
import '@mantine/spotlight/styles.css'
import { createSpotlight, Spotlight, useSpotlight } from '@mantine/spotlight'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useFetcher } from 'react-router'
import type { Group } from './found-group.ts'
import css from './jump-dialog.module.css'

/*
 * Loaded when it is first opened. Imports no module or style sheet that pages use, such as that of Mantine's inputs: the
 * browser would link the sheet again after all others.
 */

/** A pause in typing, in milliseconds: a user who types on asks for nothing. */
const PAUSE = 200

const [store, spotlight] = createSpotlight()

/** Opens the dialog, now or as soon as it is on the page. */
export const openJump = () => spotlight.open()

type Props = {
  icon: ReactNode
  /** Opens a page that was found. */
  openPage(to: string): void
}

/** Searches the office while its user types; Enter opens the chosen entry. */
export function JumpDialog({ icon, openPage }: Props) {
  const { opened, query } = useSpotlight(store)
  const { groups, isSearching } = useFound(opened, query.trim())
  useFirstSelected(groups)
  return (
    <Spotlight.Root
      store={store}
      // The shell has the keys, before this is loaded too.
      shortcut={null}
      // It would add a style element that the page does not allow.
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      // To blur the page behind it takes an old machine half a second.
      overlayProps={{ blur: 0, backgroundOpacity: 0.45 }}
      classNames={{ content: css.content ?? '' }}
      aria-label="Buscar en la notaría"
    >
      <Spotlight.Search
        placeholder="Documento, persona o página"
        aria-label="Buscar en la notaría"
        maxLength={200}
        leftSection={icon}
        classNames={{ wrapper: css.field ?? '', section: css.icon ?? '', input: css.input ?? '' }}
      />
      <Spotlight.ActionsList className={css.list}>
        {groups.map(({ name, entries, all }) => (
          <Spotlight.ActionsGroup key={name} label={name} className={css.group}>
            {[...entries, ...(all ? [all] : [])].map((entry) => (
              <Spotlight.Action
                key={entry.to + entry.name}
                label={entry.name}
                {...(entry.detail && { description: entry.detail })}
                className={css.entry}
                onClick={() => openPage(entry.to)}
              />
            ))}
          </Spotlight.ActionsGroup>
        ))}
        {groups.every(({ isOffer }) => isOffer) && (
          <Spotlight.Empty>
            {isSearching ? 'Buscando…' : 'Nada coincide con la búsqueda.'}
          </Spotlight.Empty>
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  )
}

const NOTHING: readonly Group[] = []

/** Enter opens the first entry. Spotlight selects it when the text changes, which is before the results are there. */
function useFirstSelected(groups: readonly Group[]): void {
  useLayoutEffect(() => {
    if (groups.length === 0) return
    const list = document.getElementById(store.getState().listId)
    list?.querySelector('[data-selected]')?.removeAttribute('data-selected')
    list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true')
    store.updateState((state) => ({ ...state, selected: 0 }))
  }, [groups])
}

/** What the page of the search would show; the entries before stay until the new ones are there. */
function useFound(
  isOpen: boolean,
  text: string,
): { groups: readonly Group[]; isSearching: boolean } {
  const { load, data, state } = useFetcher<{ text: string; groups: Group[] }>()
  const asked = useRef<string>(undefined)
  useEffect(() => {
    if (!isOpen) return
    const wait = asked.current === undefined ? 0 : PAUSE
    const timer = setTimeout(() => {
      asked.current = text
      void load(`/dashboard/search?${new URLSearchParams({ text })}`)
    }, wait)
    return () => clearTimeout(timer)
  }, [isOpen, text, load])
  return { groups: data?.groups ?? NOTHING, isSearching: state !== 'idle' || data?.text !== text }
}
