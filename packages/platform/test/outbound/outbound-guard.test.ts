import {
  isPublicAddress,
  mayConnect,
  outboundSetting,
  plainHost,
  urlFault,
} from '../../src/outbound/outbound-guard'

const nothing = outboundSetting.parse(undefined)
const sandbox = outboundSetting.parse('127.0.0.0/8, ::1/128, localhost, fd00::5, Inbox')

test.each([
  'https://shop.example/hook',
  'http://shop.example:8080/hook?a=1#b',
  'https://loja.com.br./hook',
  'https://ação.com.br/',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://xn--ao-0ia3c.com.br/',
  'https://localhost.example.com/',
  'https://internal.example.com/',
])('%s may be given', (url) => {
  expect(urlFault(url, nothing)).toBeUndefined()
})

test('a URL is judged alike however often it is asked about', () => {
  // Node 20 compiles a function that runs hot, and its own URL.canParse then refuses letters beyond ASCII.
  const judged = new Set(Array.from({ length: 50_000 }, () => urlFault('https://ação.com.br/', nothing)))
  expect([...judged]).toEqual([undefined])
})

test.each([
  '',
  'shop.example/hook',
  'ftp://shop.example/',
  'file:///etc/passwd',
  'gopher://shop.example/',
  'javascript:alert(1)',
  'https://',
  'https://ana@shop.example/',
  'https://ana:secret@shop.example/',
  'https://:secret@shop.example/',
  'https://shop.example:99999/',
  'https://1.2.3.4.5/',
  'https://a..example/',
])('%p is malformed', (url) => {
  expect(urlFault(url, nothing)).toBe('malformed')
})

test.each([
  'http://127.0.0.1/',
  'http://127.0.0.1./',
  'http://127.1/',
  'http://2130706433/',
  'http://017700000001/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://127.000.000.001/',
  'http://%31%32%37.0.0.1/',
  'http://①②⑦.⓪.⓪.①/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://0/',
  'http://0.0.0.0/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/',
  'http://[64:ff9b::a9fe:a9fe]/',
  'http://[2002:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://10.1.2.3/',
  'http://172.31.255.255/',
  'http://192.168.0.1:8080/',
  'http://169.254.169.254/latest/meta-data/',
  'http://100.100.100.200/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://hook.localhost/',
  'http://printer.local/',
  'http://metadata.google.internal/',
  'http://vault.cofre.svc.cluster.local/',
  'http://vault.cofre.svc/',
  'http://vault/',
  'http://router.home.arpa/',
])('%s is not public', (url) => {
  expect(urlFault(url, nothing)).toBe('not_public')
})

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.254',
  '127.0.0.1',
  '127.255.255.254',
  '169.254.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.192',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.255.255',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.255.255.255',
  '240.0.0.1',
  '255.255.255.255',
  '168.63.129.16',
  '::',
  '::1',
  '::7f00:1',
  '::8.8.8.8',
  '::ffff:10.0.0.1',
  '::ffff:0:10.0.0.1',
  '64:ff9b::10.0.0.1',
  '64:ff9b:1::1',
  '100::1',
  '2001::1',
  '2001:2::1',
  '2001:10::1',
  '2001:20::1',
  '2001:db8::1',
  '2002:a00:1::',
  '2002:808:808::',
  '3fff::1',
  '5f00::1',
  'fc00::1',
  'fd00:ec2::254',
  'fe80::1',
  'fe80::1%eth0',
  'fec0::1',
  'ff02::1',
  'ffff::1',
  'shop.example',
  '',
  '127.1',
])('%p is not a public address', (address) => {
  expect(isPublicAddress(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '100.63.255.255',
  '100.128.0.1',
  '172.15.0.1',
  '172.32.0.1',
  '223.255.255.254',
  '::ffff:8.8.8.8',
  '64:ff9b::8.8.8.8',
  '2606:4700:4700::1111',
  '2a00:1450:4001::1',
])('%s is a public address', (address) => {
  expect(isPublicAddress(address)).toBe(true)
})

test('a deployment may allow networks, addresses and names, and nothing beside them', () => {
  for (const url of [
    'http://127.9.9.9/',
    'http://[::1]:8090/',
    'https://localhost/',
    'http://inbox:1/',
    'http://[fd00::5]/',
  ]) {
    expect(urlFault(url, sandbox)).toBeUndefined()
  }
  for (const url of ['http://10.0.0.1/', 'http://[fd00::6]/', 'http://a.localhost/', 'http://outbox/']) {
    expect(urlFault(url, sandbox)).toBe('not_public')
  }
})

test('a name is judged by the address that it resolves to, unless the name itself is allowed', () => {
  expect(mayConnect('shop.example', '127.0.0.1', nothing)).toBe(false)
  expect(mayConnect('shop.example', '127.0.0.1', sandbox)).toBe(true)
  expect(mayConnect('shop.example', '::ffff:127.0.0.1', sandbox)).toBe(true)
  expect(mayConnect('shop.example', '10.0.0.1', sandbox)).toBe(false)
  expect(mayConnect('inbox', '10.0.0.1', sandbox)).toBe(true)
  expect(mayConnect('shop.example', '8.8.8.8', nothing)).toBe(true)
  expect(mayConnect('shop.example', 'not an address', sandbox)).toBe(false)
})

test('a host is known without brackets and without its final dot', () => {
  expect(plainHost('[::1]')).toBe('::1')
  expect(plainHost('Shop.Example.')).toBe('shop.example')
})

test.each(['10.0.0.0/33', '10.0.0/8', 'a b', 'https://shop.example', '127.0.0.1:80', '::g/64'])(
  'the allowance %p is refused and not shown',
  (text) => {
    const result = outboundSetting.safeParse(text)
    expect(result.success).toBe(false)
    expect(JSON.stringify(result.error?.issues)).not.toContain(text)
  },
)
