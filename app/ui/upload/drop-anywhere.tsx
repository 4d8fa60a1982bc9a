import { useEffect, useEffectEvent, useState } from 'react'
import css from './drop-anywhere.module.css'

type Props = {
  /** @param folders how many folders were dropped, too: their files are not in `files` */
  onDrop: (files: File[], folders: number) => void
}

/** Takes files that are dropped anywhere on the page; without it the browser would open them and leave the form. */
export function DropAnywhere({ onDrop }: Props) {
  const [isOver, setOver] = useState(false)
  const drop = useEffectEvent((transfer: DataTransfer) => {
    const items = [...transfer.items].filter(({ kind }) => kind === 'file')
    const folders = items.filter((item) => item.webkitGetAsEntry()?.isDirectory)
    const files = items.filter((item) => !folders.includes(item)).map((item) => item.getAsFile())
    onDrop(
      files.filter((file) => file !== null),
      folders.length,
    )
  })
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(true)
    }
    const leave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const dropped = (event: DragEvent) => {
      setOver(false)
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      drop(event.dataTransfer)
    }
    const listeners = { dragenter: over, dragover: over, dragleave: leave, drop: dropped }
    for (const [name, listener] of Object.entries(listeners))
      window.addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of Object.entries(listeners))
        window.removeEventListener(name, listener as EventListener)
    }
  }, [])
  if (!isOver) return null
  return <div className={css.over}>Suelte los archivos para agregarlos</div>
}

const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
