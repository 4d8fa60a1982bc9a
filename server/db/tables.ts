import type { BackupRow } from './tables/backups.ts'
import type {
  ArcoPackageRow,
  ArcoRequestRow,
  ArcoStepRow,
  ArcoTermsRow,
  ConsentRecordRow,
  NoticeCountRow,
  NoticeTextRow,
  RetentionItemRow,
  RetentionPlaceRow,
  RetentionTermRow,
} from './tables/care.ts'
import type { ActChecklistRow, DocumentCheckRow } from './tables/checklists.ts'
import type { ConstanciaRow } from './tables/constancias.ts'
import type { CopyCancellationRow, IssuedCopyRow } from './tables/copies.ts'
import type {
  CertificateRow,
  DocumentRow,
  DocumentVersionRow,
  DocumentViewRow,
  PictureConsentRow,
  PreparedSignatureRow,
  ReadingProgressRow,
  SignatureRow,
  VerificationReportRow,
} from './tables/documents.ts'
import type {
  BackupCodeRow,
  TotpFactorRow,
  WebauthnChallengeRow,
  WebauthnCredentialRow,
} from './tables/factors.ts'
import type {
  OfficeKeyRow,
  ResumableUploadPartRow,
  ResumableUploadRow,
  StoredFileRow,
  UnneededFileRow,
} from './tables/files.ts'
import type {
  FileStoreRow,
  JobLeaderRow,
  JobRunRow,
  KeyFingerprintRow,
  SchemaRangeRow,
} from './tables/installation.ts'
import type { AcknowledgementRow, UploadJudgementRow } from './tables/judgements.ts'
import type {
  AlertPreferenceRow,
  AlertRow,
  AuditCheckpointRow,
  AuditEventRow,
  AuditSubtreeRow,
  DailyFigureRow,
  LogRow,
} from './tables/log.ts'
import type { MailServerRow, OutboxRow } from './tables/mail.ts'
import type { InstrumentNumberRow, NumberSeriesRow, NumberTextRow } from './tables/numbers.ts'
import type {
  CalendarFeedRow,
  DeadlineDueRow,
  DeadlineRecountRow,
  DeadlineRow,
  NonWorkingDayRow,
  ObligationRow,
} from './tables/obligations.ts'
import type {
  ActivationRow,
  CapacityDocumentRow,
  FactorRemovalRow,
  LinkedAccountRow,
  OfficeRow,
  PrivacyNoticeRow,
  UserRoleRow,
  UserRow,
} from './tables/people.ts'
import type {
  PresenceChallengeRow,
  PresenceProofDocumentRow,
  PresenceProofRow,
} from './tables/presence.ts'
import type {
  ArchiveRow,
  DocumentStampRow,
  ProviderFailuresRow,
  ServiceProviderRow,
} from './tables/proofs.ts'
import type { ReportMonthRow, ReportPieceRow, ReportRunRow } from './tables/reports.ts'
import type {
  DocumentTextRow,
  SearchWordPartRow,
  SearchWordRow,
  TextDueRow,
} from './tables/search.ts'
import type {
  AccessTokenRow,
  AttemptsRow,
  KeptRequestRow,
  KnownDeviceRow,
  SessionRow,
  SessionTokenRow,
  SignInRow,
  VainAttemptsRow,
} from './tables/sign-ins.ts'
import type {
  ActRow,
  PartyRow,
  SessionDocumentRow,
  SignerRow,
  SigningLinkRow,
  SigningSessionRow,
} from './tables/signing.ts'
import type { AuthorityRow, RevocationAnswerRow } from './tables/trust.ts'
import type {
  MakerCertificateRow,
  YubikeyAttestationRow,
  YubikeyChangeRow,
  YubikeyCredentialRow,
  YubikeyRow,
} from './tables/yubikeys.ts'

/*
 * The tables of both databases. Ids are text, times are milliseconds since 1970 in UTC, contents are bytes, and
 * each state has its author and time: there are no booleans.
 */
export type Tables = {
  offices: OfficeRow
  privacy_notices: PrivacyNoticeRow
  notice_texts: NoticeTextRow
  notice_counts: NoticeCountRow
  consent_records: ConsentRecordRow
  arco_requests: ArcoRequestRow
  arco_steps: ArcoStepRow
  arco_terms: ArcoTermsRow
  arco_packages: ArcoPackageRow
  retention_terms: RetentionTermRow
  retention_places: RetentionPlaceRow
  retention_items: RetentionItemRow
  users: UserRow
  user_roles: UserRoleRow
  activations: ActivationRow
  factor_removals: FactorRemovalRow
  sessions: SessionRow
  access_tokens: AccessTokenRow
  linked_accounts: LinkedAccountRow
  job_leader: JobLeaderRow
  job_runs: JobRunRow
  schema_range: SchemaRangeRow
  file_store: FileStoreRow
  key_fingerprints: KeyFingerprintRow
  session_tokens: SessionTokenRow
  sign_ins: SignInRow
  attempts: AttemptsRow
  vain_attempts: VainAttemptsRow
  known_devices: KnownDeviceRow
  kept_requests: KeptRequestRow
  totp_factors: TotpFactorRow
  backup_codes: BackupCodeRow
  webauthn_credentials: WebauthnCredentialRow
  webauthn_challenges: WebauthnChallengeRow
  alerts: AlertRow
  alert_preferences: AlertPreferenceRow
  daily_figures: DailyFigureRow
  logs: LogRow
  certificates: CertificateRow
  documents: DocumentRow
  document_versions: DocumentVersionRow
  document_texts: DocumentTextRow
  document_views: DocumentViewRow
  texts_due: TextDueRow
  search_words: SearchWordRow
  search_word_parts: SearchWordPartRow
  office_keys: OfficeKeyRow
  stored_files: StoredFileRow
  unneeded_files: UnneededFileRow
  report_months: ReportMonthRow
  report_pieces: ReportPieceRow
  report_runs: ReportRunRow
  resumable_uploads: ResumableUploadRow
  resumable_upload_parts: ResumableUploadPartRow
  signatures: SignatureRow
  prepared_signatures: PreparedSignatureRow
  signing_sessions: SigningSessionRow
  session_documents: SessionDocumentRow
  signers: SignerRow
  signing_links: SigningLinkRow
  acts: ActRow
  act_checklists: ActChecklistRow
  document_checks: DocumentCheckRow
  number_series: NumberSeriesRow
  instrument_numbers: InstrumentNumberRow
  number_texts: NumberTextRow
  obligations: ObligationRow
  non_working_days: NonWorkingDayRow
  deadlines: DeadlineRow
  deadlines_due: DeadlineDueRow
  deadline_recounts: DeadlineRecountRow
  calendar_feeds: CalendarFeedRow
  parties: PartyRow
  audit_events: AuditEventRow
  audit_checkpoints: AuditCheckpointRow
  audit_subtrees: AuditSubtreeRow
  verification_reports: VerificationReportRow
  upload_judgements: UploadJudgementRow
  acknowledgements: AcknowledgementRow
  picture_consents: PictureConsentRow
  issued_copies: IssuedCopyRow
  copy_cancellations: CopyCancellationRow
  reading_progress: ReadingProgressRow
  authorities: AuthorityRow
  revocation_answers: RevocationAnswerRow
  service_providers: ServiceProviderRow
  provider_failures: ProviderFailuresRow
  yubikeys: YubikeyRow
  yubikey_changes: YubikeyChangeRow
  yubikey_attestations: YubikeyAttestationRow
  yubikey_credentials: YubikeyCredentialRow
  maker_certificates: MakerCertificateRow
  archives: ArchiveRow
  document_stamps: DocumentStampRow
  capacity_documents: CapacityDocumentRow
  mail_servers: MailServerRow
  outbox: OutboxRow
  presence_challenges: PresenceChallengeRow
  presence_proofs: PresenceProofRow
  presence_proof_documents: PresenceProofDocumentRow
  constancias: ConstanciaRow
  backups: BackupRow
}
