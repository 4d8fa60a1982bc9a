import '@mantine/core/styles/UnstyledButton.css'
import '@mantine/core/styles/Button.css'
import { Button } from '@mantine/core'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { SubmitButton } from '#app/ui/forms/submit-button.tsx'
import { sizeText } from '#app/ui/text/size-text.ts'
import css from './upload-buttons.module.css'
import type { Progress, useUploads } from './use-uploads.ts'

/** Sends the files, stops and goes on, and shows how far they are. */
export function UploadButtons({ uploads }: { uploads: ReturnType<typeof useUploads> }) {
  const { progress, pause } = uploads
  const isRunning = progress?.state === 'sending' || progress?.state === 'waiting'
  const isStopped = progress !== undefined && !isRunning
  return (
    <>
      {progress?.state === 'signed-out' && (
        <Notice tone="note">
          Su sesión terminó.{' '}
          <a href="/login" target="_blank" rel="noopener opener">
            Inicie sesión en otra pestaña
          </a>
          , vuelva a esta y pulse “Continuar”: lo que ya se envió no se envía otra vez.
        </Notice>
      )}
      {progress && <Bar {...progress} />}
      {/* Always there, so that screen readers announce what changes in it. */}
      <p role="status" className={css.state}>
        {progress && sentenceOf(progress)}
      </p>
      <div className={css.buttons}>
        <SubmitButton>{isStopped ? 'Continuar' : 'Subir'}</SubmitButton>
        {isRunning && (
          <Button type="button" variant="default" onClick={pause}>
            Pausar
          </Button>
        )}
      </div>
    </>
  )
}

function Bar({ bytes, total }: Progress) {
  return (
    <div className={css.bar}>
      <progress value={bytes} max={total} aria-label="Avance de la subida" />
      <span>
        {sizeText(bytes)} de {sizeText(total)} ({Math.floor((100 * bytes) / total)} %)
      </span>
    </div>
  )
}

/** Without bytes: it would be announced again and again. */
function sentenceOf({ place, of, name, state }: Progress): string {
  const which = of === 1 ? name : `${place} de ${of}, ${name}`
  switch (state) {
    case 'sending':
      return `Subiendo ${which}`
    case 'waiting':
      return `Sin conexión: ${which} espera y se intenta de nuevo. También puede pulsar “Subir”.`
    case 'paused':
      return `En pausa: ${which}. “Continuar” sigue donde se quedó.`
    case 'signed-out':
      return `En pausa: ${which}.`
  }
}
