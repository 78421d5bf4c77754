import { email } from '../../src/api/fields/email-field'

test.each([
  'ana@example.com',
  'ana.souza+loja@mail.example.com.br',
  "!#$%&'*+/=?^_`{|}~-@example.com",
  'a@b.co',
  'o’brien'.replace('’', "'") + '@example.com',
  'josé@exemplo.com.br',
  'ana@exämple.com',
  '李@例子.公司',
  'ANA@EXAMPLE.COM',
  '1@1.example',
  `${'a'.repeat(64)}@example.com`,
  'ana@xn--exmple-cua.com',
])('%s is an e-mail address', (address) => {
  expect(email().parse(address)).toBe(address)
})

test.each(['ana@example.com ', ' ana@example.com', '\tana@example.com\r\n'])(
  '%j loses its spaces',
  (typed) => {
    expect(email().parse(typed)).toBe('ana@example.com')
  },
)

test.each([
  'ana',
  '@example.com',
  'ana@',
  'ana@example',
  'ana@@example.com',
  'a b@example.com',
  'ana@exa mple.com',
  '.ana@example.com',
  'ana.@example.com',
  'a..b@example.com',
  '"a b"@example.com',
  'ana@[127.0.0.1]',
  'ana@127.0.0.1',
  'ana@-example.com',
  'ana@example..com',
  'ana@exam_ple.com',
  'ana@example.com.',
  'a,b@example.com',
  'ana@example.com,bia@example.com',
  'Ana <ana@example.com>',
  'ana@example.com\r\nBcc: all@example.com',
  'ana\u202E@example.com',
  'ana@exam%70le.com',
  'ana@example.com/x',
  'ana@user:pw@example.com:25',
  `${'a'.repeat(65)}@example.com`,
  `${'é'.repeat(33)}@example.com`,
  `ana@${'a'.repeat(64)}.com`,
  'ana\0@example.com',
  '\uD800@example.com',
])('%j is none', (text) => {
  expect(email().safeParse(text).success).toBe(false)
})
