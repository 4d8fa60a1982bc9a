/** The name of an unknown model. */
const ANY_KEY = 'Llave de seguridad'

/* Models by AAGUID, as published by their makers with the FIDO Alliance. Unlisted keys work as well. */
const MODELS: Readonly<Record<string, readonly string[]>> = {
  'YubiKey 5': [
    'cb69481e-8ff7-4039-93ec-0a2729a154a8',
    'ee882879-721c-4913-9775-3dfcce97072a',
    '19083c3d-8383-4b18-bc03-8f1c9ab2fd1b',
    'ff4dac45-ede8-4ec2-aced-cf66103f4335',
    '20ac7a17-c814-4833-93fe-539f0d5e3389',
    '4599062e-6926-4fe7-9566-9e8fb1aedaa0',
  ],
  'YubiKey 5 NFC': [
    'fa2b99dc-9e39-4257-8f92-4a30d23c4118',
    '2fc0579f-8113-47ea-b116-bb5a8db9202a',
    'a25342c0-3cdc-4414-8e46-f4807fca511c',
    'd7781e5d-e353-46aa-afe2-3ca49f13332a',
    '1ac71f64-468d-4fe0-bef1-0e5f2f551f18',
    '6ab56fad-881f-4a43-acb2-0be065924522',
    '662ef48a-95e2-4aaa-a6c1-5b9c40375824',
  ],
  'YubiKey 5Ci': [
    'c5ef55ff-ad9a-4b9f-b580-adebafe026d0',
    'a02167b9-ae71-4ac7-9a07-06432ebb6f1c',
    '24673149-6c86-42e7-98d9-433fb5b73296',
    'b90e7dc1-316e-4fee-a25a-56a666a670fe',
  ],
  'YubiKey 5 FIPS': [
    '73bb0cd4-e502-49b8-9c6f-b59445bf720b',
    '57f7de54-c807-4eab-b1c6-1c9be7984e92',
  ],
  'YubiKey 5 NFC FIPS': [
    'c1f9a0bc-1dd2-404a-b27f-8e29047a43fd',
    'fcc0118f-cd45-435b-8da1-9782b2da0715',
  ],
  'YubiKey 5Ci FIPS': [
    '85203421-48f9-4355-9bc8-8a53846e5083',
    '7b96457d-e3cd-432b-9ceb-c9fdd7ef7432',
  ],
  'YubiKey Bio': [
    'd8522d9f-575b-4866-88a9-ba99fa02f35b',
    'dd86a2da-86a0-4cbe-b462-4bd31f57bc6f',
    '7409272d-1ff9-4e10-9fc9-ac0019c124fd',
    '90636e1f-ef82-43bf-bdcf-5255f139d12f',
    '34744913-4f57-4e6e-a527-e9ec3c4b94e6',
    '7d1351a6-e097-4852-b8bf-c9ac5c9ce4a3',
  ],
  'Security Key de Yubico': [
    'f8a011f3-8c0a-4d15-8006-17111f9edc7d',
    'b92c3f9a-c014-4056-887f-140a2501163b',
  ],
  'Security Key NFC de Yubico': [
    '149a2021-8ef6-4133-96b8-81f8d5b7f1f5',
    '6d44ba9b-f6ec-2e49-b930-0c8fe920cb73',
    'a4e9fc6d-4cbe-4758-b8ba-37598bb5bbaa',
    'b7d3f68e-88a6-471e-9ecf-2df26d041ede',
    'e77e3c64-05e3-428b-8824-0cbeb04b829d',
    '47ab2fb4-66ac-4184-9ae1-86be814012d5',
    'ed042a3a-4b22-4455-bb69-a267b652ae7e',
    '0bb43545-fd2c-4185-87dd-feb0b2916ace',
  ],
  'Google Titan': ['42b4fb4a-2866-43b2-9bf7-6c6669c2e5d3'],
  'Nitrokey 3': ['2cd2f727-f6ca-44da-8f48-5c2e5da000a2'],
  'Solo de SoloKeys': ['8876631b-d4a0-427f-5773-0ec71c9e0279'],
  'Somu de SoloKeys': ['9876631b-d4a0-427f-5773-0ec71c9e0279'],
  'Token2 FIDO2': ['ab32f0c6-2239-afbb-c470-d2ef4e254db7'],
  'Token2 PIN+': ['eabb46cc-e241-80bf-ae9e-96fa6d2975cf'],
  'Feitian ePass FIDO2': [
    '833b721a-ff5f-4d00-bb2e-bdda3ec01e29',
    '12755c32-8ad1-46eb-881c-e0b38d848b09',
  ],
  'Feitian ePass FIDO2 NFC': [
    'ee041bce-25e5-4cdb-8f86-897fd6418464',
    '260e3021-482d-442d-838c-7edfbe153b7e',
    '234cd403-35a2-4cc2-8015-77ea280c77f5',
  ],
  'Feitian BioPass FIDO2': [
    '77010bd7-212a-4fc9-b236-d2ca5e9d4084',
    'b6ede29c-3772-412c-8a78-539c1f4c62d2',
    '42df17de-06ba-4177-a2bb-6701be1380d6',
  ],
  'Windows Hello': [
    '08987058-cadc-4b81-b6e1-30de50dcbe96',
    '9ddd1817-af5a-4672-a2b9-3e3dd95000a9',
    '6028b017-b1d4-4c02-b4b3-afcdafc96bb2',
  ],
  'Llavero de iCloud': [
    'fbfc3007-154e-4ecc-8c0b-6e020557d7bd',
    'dd4ec289-e01d-41c9-bb89-70fa845d4bf2',
  ],
  'Gestor de contraseñas de Google': ['ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4'],
  'Chrome en Mac': ['adce0002-35bc-c60a-648b-0b25f1f05503'],
  'Samsung Pass': ['53414d53-554e-4700-0000-000000000000'],
  '1Password': ['bada5566-a7aa-401f-bd96-45619a55120d'],
  Bitwarden: ['d548826e-79b4-db40-a3d8-11116f7e8349'],
  KeePassXC: ['fdb141b2-5d84-443e-8a35-4698c205a502'],
}

const NAMES = new Map(
  Object.entries(MODELS).flatMap(([name, aaguids]) => aaguids.map((aaguid) => [aaguid, name])),
)

/** The model name: `YubiKey 5 NFC`, or `Llave de seguridad` if unknown. */
export const modelOf = (aaguid: string): string => NAMES.get(aaguid.toLowerCase()) ?? ANY_KEY
