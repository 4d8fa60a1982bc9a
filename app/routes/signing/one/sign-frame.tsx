import type { ReactNode } from 'react'
import { PagePictures } from '#app/ui/document/page-pictures.tsx'
import { Notice } from '#app/ui/feedback/notice.tsx'
import { PageHead } from '#app/ui/lists/page-head.tsx'
import { PageLink } from '#app/ui/text/page-link.tsx'
import css from './sign.module.css'
import { SignAddition } from './sign-addition.tsx'
import { SignSubject } from './sign-subject.tsx'
import type { SignView } from './sign-view.ts'

/** The pages of the document, beside the form that signs it. */
export function SignFrame({ view, children }: { view: SignView; children: ReactNode }) {
  return (
    <div className={css.columns}>
      <div className={css.pages}>
        <PageHead
          title="Firmar documento"
          lead={
            <>
              {view.title} · <PageLink to={view.back.address}>{view.back.label}</PageLink>
            </>
          }
        />
        <PagePictures document={{ ...view, address: view.document }} />
        {view.isAsked && <SignAddition view={view} />}
      </div>
      <div className={css.side}>
        <SignSubject view={view} />
        {view.obstacle ? <Notice tone="wait">{view.obstacle}</Notice> : children}
      </div>
    </div>
  )
}
