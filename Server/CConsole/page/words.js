// The words of the interface in four languages. Explanations of decisions are the gateway's, in English.

const languages = ['en', 'ja', 'ko', 'zh']

/** The languages, with their own names. */
export const languageNames = [['en', 'English'], ['ja', '日本語'], ['ko', '한국어'], ['zh', '中文']]

// Each row: the key, then the words in the order of `languages`.
const rows = `
notifications|Notifications|通知|알림|通知
devices|Devices|デバイス|기기|设备
gateway|Gateway|ゲートウェイ|게이트웨이|网关
runs|Runs|実行|실행|运行
associations|Universal links|ユニバーサルリンク|유니버설 링크|通用链接
connected|Connected|接続済み|연결됨|已连接
showMore|Show More|すべて見る|더 보기|显示更多
disconnected|Not connected; trying again|未接続、再試行中|연결되지 않음, 다시 시도 중|未连接，正在重试
search|Search|検索|검색|搜索
searchHint|Text, device, topic, identifier|テキスト、デバイス、トピック、ID|텍스트, 기기, 토픽, ID|文本、设备、主题、标识符
state|State|状態|상태|状态
topic|Topic|トピック|토픽|主题
device|Device|デバイス|기기|设备
all|All|すべて|모두|全部
new|New notification|新規通知|새 알림|新建通知
send|Send|送信|보내기|发送
sent|Sent|送信しました|보냈습니다|已发送
resend|Send again|再送信|다시 보내기|重新发送
close|Close|閉じる|닫기|关闭
continue|Continue|続ける|계속|继续
none|Nothing here yet|まだありません|아직 없음|暂无内容
noneMatching|No notification matches|一致する通知はありません|일치하는 알림 없음|没有匹配的通知
select|Select a notification to see what happened to it|通知を選ぶと経過が表示されます|알림을 선택하면 경과가 표시됩니다|选择一条通知以查看经过
total|In all|合計|총|总计
timeline|Timeline|経過|경과|时间线
raw|As it was sent|送信されたまま|보낸 그대로|原始内容
payload|Payload|ペイロード|페이로드|载荷
details|Details|詳細|세부사항|详细信息
banner|On the lock screen|ロック画面|잠금 화면|锁定屏幕
fault|Fail the next one|次を失敗させる|다음 것 실패시키기|让下一条失败
faultAdded|The next request to this device fails|次のリクエストは失敗します|다음 요청이 실패합니다|下一个请求将失败
payloadGone|The payload is not known any more|ペイロードはもうありません|페이로드가 더 이상 없습니다|载荷已不可用
copy|Copy|コピー|복사|复制
copied|Copied|コピーしました|복사됨|已复制
token|Token|トークン|토큰|令牌
tokens|Tokens of apps|App のトークン|App 토큰|App 的令牌
purpose|Purpose|用途|용도|用途
notAssigned|Not assigned yet|未割り当て|아직 할당되지 않음|尚未分配
app|Notifications|通知|알림|通知
voip|Calls (VoIP)|通話 (VoIP)|통화 (VoIP)|通话 (VoIP)
pushToTalk|Push to Talk|プッシュトゥトーク|푸시 투 토크|一键通话
location|Location|位置情報|위치|位置
fileProvider|Files|ファイル|파일|文件
complication|Complications|コンプリケーション|컴플리케이션|复杂功能
pushToStart|Starts of Live Activities|ライブアクティビティの開始|실시간 현황 시작|启动实时活动
liveActivity|Live Activity|ライブアクティビティ|실시간 현황|实时活动
widgets|Widgets|ウィジェット|위젯|小组件
control|Control|コントロール|제어|控件
pushType|Push type|プッシュの種類|푸시 유형|推送类型
priority|Priority|優先度|우선순위|优先级
collapse|Collapse identifier|まとめる ID|축소 ID|折叠标识符
template|Template|テンプレート|템플릿|模板
size|Size|サイズ|크기|大小
fine|No findings|問題なし|문제 없음|没有问题
why|Why?|なぜ？|이유는?|为什么？
adminToken|Administrative token|管理トークン|관리 토큰|管理令牌
controlToken|Token of the agent|エージェントのトークン|에이전트 토큰|代理令牌
tokenHint|It is kept in memory only, until this page closes|このページを閉じるまでメモリにのみ保持されます|이 페이지를 닫을 때까지 메모리에만 보관됩니다|仅保存在内存中，直到此页面关闭
namespace|Namespace|名前空間|네임스페이스|命名空间
language|Language|言語|언어|语言
online|Online|オンライン|온라인|在线
offline|Offline|オフライン|오프라인|离线
waiting|In the inbox|受信箱|수신함|收件箱
screen|Screen|画面|화면|屏幕
scenes|Scenes|シーン|장면|场景
shelves|Shared with You|あなたと共有|나와 공유됨|与你共享
messages|Messages|メッセージ|메시지|信息
open|Open|開く|열기|打开
dismiss|Dismiss|消去|지우기|清除
activate|Bring to the front|手前に表示|앞으로 가져오기|置于前台
background|To the background|バックグラウンドへ|백그라운드로|转入后台
pin|Pin|ピンで固定|고정|置顶
unpin|Unpin|ピンを外す|고정 해제|取消置顶
reply|Reply|返信|답장|回复
menu|Menu|メニュー|메뉴|菜单
attribution|Who shared it|共有した人|공유한 사람|分享者
undo|Undo|元に戻す|실행 취소|撤销
sharing|What apps may see|アプリに見せるもの|앱에 보여 줄 항목|允许 App 查看的内容
everywhere|All apps and conversations|すべての App と会話|모든 앱과 대화|所有 App 和对话
automatic|Automatic sharing|自動共有|자동 공유|自动共享
accept|Turn on|オンにする|켜기|打开
decline|Not now|今はしない|나중에|以后
ignore|Ignore|無視|무시|忽略
type|Type a message|メッセージを入力|메시지 입력|输入信息
tryIdentifier|Try an identifier or a URL|ID または URL を試す|ID 또는 URL 시험|试用标识符或 URL
tryHint|Nothing is opened|何も開きません|아무것도 열지 않습니다|不会打开任何内容
noAgent|No agent drives this device; its screen is not known|エージェントがないため画面は不明です|에이전트가 없어 화면을 알 수 없습니다|没有代理驱动此设备，屏幕未知
conditions|Conditions|条件|조건|条件
callbacks|Which code runs|実行されるコード|실행되는 코드|运行的代码
once|the app receives the event|App はイベントを受け取ります|App이 이벤트를 받습니다|App 收到该事件
twice|the app handles the event twice|App はイベントを 2 回処理します|App이 이벤트를 두 번 처리합니다|App 处理该事件两次
lost|the app loses the event|App はイベントを失います|App이 이벤트를 잃습니다|App 丢失该事件
cannotHappen|none, because this cannot happen|なし（起こりません）|없음(일어날 수 없음)|无（不会发生）
event|the event|イベント|이벤트|事件
repetition|the same event again|同じイベントの 2 回目|같은 이벤트 다시|同一事件再次出现
announcement|an announcement|予告|예고|预告
notHandled|not handled|処理されません|처리하지 않음|未处理
notCalled|Not called|呼ばれないもの|호출되지 않음|不会调用
otherScene|of the other scene|別のシーン|다른 장면|另一个场景
onlyIf|if {0}|{0} の場合|{0}인 경우|如果 {0}
withOption|with {0}|{0} 付き|{0} 포함|带 {0}
documented|documented|文書化済み|문서화됨|有文档说明
observed|{0} reports|報告 {0} 件|보고 {0}건|{0} 份报告
oneReport|one report|報告 1 件|보고 1건|1 份报告
inferred|inferred|推定|추론|推断
ours|decided by Waypost|Waypost の判断|Waypost의 결정|Waypost 的决定
place|its place: {0}|順番: {0}|순서: {0}|顺序：{0}
verdict|Verdict|判定|판정|判定
rank|Order|順序|순서|排序
points|points|点|점|分
accepted|Accepted|受理|접수|已接受
acknowledged|Acknowledged|確認済み|확인됨|已确认
backlog|In inboxes|受信箱内|수신함 내|收件箱中
unacknowledged|Not acknowledged|未確認|미확인|未确认
streams|Streams|ストリーム|스트림|数据流
latency|Time from acceptance to acknowledgement|受理から確認までの時間|접수부터 확인까지의 시간|从接受到确认的时间
errors|Rejected, by reason|理由別の拒否|이유별 거부|按原因统计的拒绝
store|Store|ストア|저장소|存储
commit|Commit and sync|コミットと同期|커밋 및 동기화|提交与同步
memory|Memory|メモリ|메모리|内存
tokenSince|Its token since|トークン開始|토큰 시작|令牌始于
lastUse|Last use|最終使用|마지막 사용|最近使用
channels|Broadcast channels|ブロードキャストチャネル|방송 채널|广播频道
keeps|Messages kept|保持するメッセージ|보관하는 메시지|保留的消息数
keys|Keys|鍵|키|密钥
faults|Scripted faults|予定された失敗|예정된 오류|预设故障
remove|Remove|削除|제거|移除
clock|Clock|時計|시계|时钟
advance|Advance|進める|앞당기기|前进
network|Network|ネットワーク|네트워크|网络
trusted|Trusted: everyone who can reach the gateway may call it|信頼済み：到達できる全員が呼び出せます|신뢰됨: 도달할 수 있는 모두가 호출할 수 있음|受信任：能访问网关的人均可调用
systemClock|The clock is that of the system|システムの時計です|시스템 시계입니다|使用系统时钟
file|File (apple-app-site-association)|ファイル (apple-app-site-association)|파일 (apple-app-site-association)|文件 (apple-app-site-association)
urls|URLs, one per line|URL（1 行に 1 つ）|URL (한 줄에 하나)|URL（每行一个）
findings|Findings|指摘|발견 사항|问题
domain|Domain, such as tv.example|ドメイン（例: tv.example）|도메인 (예: tv.example)|域名（如 tv.example）
fetch|Fetch|取得|가져오기|获取
needsAgent|An agent that is linked to this gateway can fetch the file of a domain|接続中のエージェントがドメインのファイルを取得できます|연결된 에이전트가 도메인의 파일을 가져올 수 있습니다|已连接的代理可以获取域名的文件
domains|Files of the devices|デバイスのファイル|기기의 파일|设备上的文件
of|{0} of {1}|{1} 件中 {0} 件|{1}개 중 {0}개|{0} / {1}
skip|Skip to the content|本文へ移動|본문으로 건너뛰기|跳到内容
name|Name|名前|이름|名称
value|Value|値|값|值
time|Time|時刻|시각|时间
running|Running|実行中|실행 중|运行中
passed|Passed|成功|통과|通过
failed|Failed|失敗|실패|失败
interrupted|Interrupted|中断|중단됨|已中断
skipped|Skipped|省略|건너뜀|已跳过
updated|Updated|更新|업데이트됨|已更新
expected|Expected|期待|예상|预期
actual|Got|実際|실제|实际
report|Report|結果|결과|报告
selectRun|Select a run to read its story|実行を選ぶと経過が表示されます|실행을 선택하면 경과가 표시됩니다|选择一次运行以查看经过
noRuns|Scenarios, load tests and fleets that use this gateway appear here; others, and tests of providers, with --console|このゲートウェイを使うシナリオ、負荷テスト、フリートが表示されます（他とプロバイダのテストは --console で）|이 게이트웨이를 쓰는 시나리오, 부하 테스트, 플릿이 표시됩니다(그 외와 제공자 테스트는 --console)|使用此网关的场景、负载测试和设备群显示在这里（其他的和提供方测试用 --console）
omitted|{0} further events had no room|ほか {0} 件のイベントは保存できませんでした|이벤트 {0}개는 저장할 자리가 없었습니다|另有 {0} 个事件未能保存
trials|Trials|試験|시험|试验
notShown|Not shown|未確認|확인 안 됨|未验证
rule|Rule|規則|규칙|规则
source|Source|出典|출처|来源
advice|What to do|対処|해결 방법|处理办法
firstWrong|First wrong request|最初の誤ったリクエスト|첫 번째 잘못된 요청|第一个错误的请求
figures|Figures|数値|수치|数值
timelineLeftOut|This run had no room for the timeline|この実行には経過を保存する余裕がありませんでした|이 실행에는 경과를 저장할 자리가 없었습니다|此次运行没有空间保存时间线
asTable|As tables|表で表示|표로 보기|以表格显示
phases|Phases|段階|단계|阶段
requests|Requests|リクエスト|요청|请求
connections|Connections|接続|연결|连接
connection|Connection {0}|接続 {0}|연결 {0}|连接 {0}
noConnection|No connection|接続なし|연결 없음|无连接
tokenNumber|Provider token {0}|プロバイダトークン {0}|제공자 토큰 {0}|提供方令牌 {0}
providerTokens|Provider tokens|プロバイダトークン|제공자 토큰|提供方令牌
openStreams|Open streams|開いているストリーム|열린 스트림|打开的流
success|Accepted (200)|受理 (200)|접수 (200)|已接受 (200)
refused4|Refused (4xx)|拒否 (4xx)|거부 (4xx)|已拒绝 (4xx)
refused5|Error (5xx)|エラー (5xx)|오류 (5xx)|错误 (5xx)
noAnswer|No answer|応答なし|응답 없음|无响应
answeredAfter|Answered after|応答時間|응답 시간|响应时间
events|Events|イベント|이벤트|事件
streamLimit|Limit {0}|上限 {0}|제한 {0}|上限 {0}
silenced|Silent|無応答|무응답|静默
opened|Opened|開始|열림|打开
closed|Closed|終了|닫힘|关闭
version|Version|バージョン|버전|版本
shortcuts|Keys: j and k select, / searches, n writes a new one, r sends again|キー: j と k で選択、/ で検索、n で新規、r で再送信|키: j, k 선택, / 검색, n 새로 쓰기, r 다시 보내기|按键：j、k 选择，/ 搜索，n 新建，r 重新发送
`

const words = new Map(rows.trim().split('\n').map(row => {
  const [key, ...texts] = row.split('|')
  return [key, texts]
}))

/** The language of the interface. */
export let language = languages.find(code => code === localStorage.getItem('language'))
  ?? navigator.languages.map(tag => tag.slice(0, 2)).find(code => languages.includes(code)) ?? 'en'

document.documentElement.lang = language

/** Sets the language; the page must be drawn again. */
export function setLanguage(code) {
  language = code
  localStorage.setItem('language', code)
  document.documentElement.lang = code
}

/** Returns a text in the language of the interface; {0} and {1} are replaced. */
export function t(key, ...values) {
  const text = words.get(key)?.[languages.indexOf(language)] ?? key
  return text.replace(/\{(\d)\}/g, (_, place) => values[place])
}

/** Returns a number as people write it. */
export const number = value => new Intl.NumberFormat(language).format(value)

const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' }
let formats = {}

/** Returns the time of day of a moment, with milliseconds. */
export function timeOfDay(milliseconds) {
  const format = formats[language] ??= new Intl.DateTimeFormat(language, clock)
  return format.format(milliseconds)
}

/** Returns a duration. */
export function duration(milliseconds) {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  if (milliseconds < 120000) return `${(milliseconds / 1000).toFixed(2)} s`
  return `${(milliseconds / 60000).toFixed(1)} min`
}
