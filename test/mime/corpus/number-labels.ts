/** Labels of numbers that are no codes, in many languages. */
export const NUMBER_LABELS = `
  会員番号 お客様番号 予約番号 口座番号 受付番号 契約番号 注文番号 会员号 会员编号 客户号 账号 預約號碼 會員編號 订单编号 회원번호 고객번호 예약번호 계좌번호
  رقم_العضوية رقم_العميل رقم_الحجز رقم_الحساب מספר_לקוח מספר_חבר מספר_הזמנה ग्राहक_संख्या सदस्य_संख्या खाता_संख्या बुकिंग_नंबर หมายเลขสมาชิก หมายเลขลูกค้า เลขที่บัญชี
  หมายเลขการจอง Mã_số_khách_hàng Mã_thành_viên Mã_đặt_chỗ Số_tài_khoản Müşteri_numarası Üye_numarası Hesap_numarası Rezervasyon_numarası Αριθμός_πελάτη
  Αριθμός_μέλους Αριθμός_λογαριασμού Αριθμός_κράτησης Номер_клиента Номер_бронирования Номер_участника Numer_klienta Numer_rezerwacji Numer_konta
  Mitgliedsnummer Buchungsnummer Numéro_client Numéro_de_réservation Numéro_d'adhérent Número_de_cliente Número_de_socio Número_de_conta
  Numero_cliente Numero_di_prenotazione Lidnummer Reserveringsnummer Medlemsnummer Bokningsnummer Nomor_pelanggan Nomor_anggota Ügyfélszám
  Foglalási_szám Asiakasnumero Číslo_zákazníka Număr_client Customer_number Membership_no. Reservation_number Passport_number
`.trim().split(/\s+/).map((label) => label.replaceAll('_', ' '))
