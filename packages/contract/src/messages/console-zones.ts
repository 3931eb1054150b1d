/** Texts of the screens of network zones and their gateways; part of the console's catalogue. */
export const en = {
  domain: 'domain',
  domains: 'Domains',
  domainHelp:
    'A domain is a network that cannot be reached directly. Connections to its assets go through one of its gateways: a host with SSH that reaches both sides. Without a gateway in use nobody connects to assets of a domain.',
  gateway: 'gateway',
  gateways: 'Gateways',
  sshPort: 'SSH port',
  sshPortHelp:
    'The port its SSH listens on. Where another one leads to it from outside (NAT), this is the one on the gateway itself.',
  gatewayAssetsHelp: 'Gateways are added on the page of the domain.',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  domain: '网域',
  domains: '网域列表',
  domainHelp:
    '网域是无法直接到达的网络。连接其中的资产时会经过该网域的一个网关：一台能通过 SSH 登录且连通两侧网络的主机。没有启用的网关时，无法连接该网域中的资产。',
  gateway: '网关',
  gateways: '网关列表',
  sshPort: 'SSH 端口',
  sshPortHelp: 'SSH 实际监听的端口。若外部通过其他端口映射（NAT）到它，请填写网关本机上的端口。',
  gatewayAssetsHelp: '网关在网域详情页中添加。',
}

export const ja: Messages = {
  domain: 'ネットワークドメイン',
  domains: 'ネットワークドメイン',
  domainHelp:
    'ネットワークドメインは、直接到達できないネットワークです。その資産への接続は、ネットワークドメインのゲートウェイ（両側のネットワークに到達でき、SSH でログインできるホスト）を経由します。有効なゲートウェイがない場合、その中の資産には接続できません。',
  gateway: 'ゲートウェイ',
  gateways: 'ゲートウェイ',
  sshPort: 'SSH ポート',
  sshPortHelp:
    'SSH が実際に待ち受けているポート。外部から別のポートで転送（NAT）される場合は、ゲートウェイ自身のポートを指定します。',
  gatewayAssetsHelp: 'ゲートウェイはネットワークドメインの詳細ページで追加します。',
}
