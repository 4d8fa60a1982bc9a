import { useCallback, useEffect, useRef, useState } from 'react'
import dialogCss from './dialog.module.css'
import css from './shortcuts.module.css'
import { isPlainKey, useKey } from './use-key.ts'

/** The list of keyboard shortcuts, which the key ? opens. Pages come without it: most people never ask for it. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false)
  const open = useCallback(() => setOpen(true), [])
  useKey(isQuestionMark, open)
  return isOpen && <Opened close={() => setOpen(false)} />
}

function Opened({ close }: { close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog
      ref={dialog}
      className={dialogCss.dialog}
      aria-labelledby="shortcuts-title"
      onClose={close}
    >
      <h2 id="shortcuts-title">Atajos de teclado</h2>
      <dl className={css.keys}>
        {SHORTCUTS.map(({ keys, does }) => (
          <div key={does}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <button type="button" onClick={() => dialog.current?.close()}>
        Cerrar
      </button>
    </dialog>
  )
}

const isQuestionMark = (event: KeyboardEvent) => isPlainKey(event, '?')

const SHORTCUTS = [
  { keys: ['/', 'Ctrl K'], does: 'Buscar en toda la notaría' },
  { keys: ['?'], does: 'Ver estos atajos' },
  { keys: ['Entrar'], does: 'Abrir lo elegido en la búsqueda' },
  { keys: ['Esc'], does: 'Cerrar una ventana o un menú' },
  { keys: ['↑', '↓'], does: 'Mover un documento o a un firmante, después de llegar con Tab a ⋮⋮' },
  { keys: ['←', '→'], does: 'Cambiar de página al leer un documento' },
  { keys: ['+', '−'], does: 'Ampliar o reducir la página que se lee' },
] as const
